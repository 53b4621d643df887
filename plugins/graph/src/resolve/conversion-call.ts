/** A method that makes an object of the type which the code around it expects. */
export interface ConversionCall {
  /** Static member of the expected type that makes the object: `from` for `into`. */
  readonly member: string;
  /** Builtin type that the result is inside of. */
  readonly wrapper?: string;
  /** The method as it is named among the externals: `Into.into`. */
  readonly external: string;
  /** The object has the method; a type of the project that the code expects gives another result: `collect`. */
  readonly isOwn?: true;
  /** Called on the trait, without an object: `Default::default()`. */
  readonly isStatic?: true;
}
