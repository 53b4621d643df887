/** Keywords of types and the types of System that need no other name. */
const BUILTINS = new Set(
  `bool byte sbyte char decimal double float int uint nint nuint long ulong object short ushort string void dynamic
  Action Activator ArgumentException ArgumentNullException ArgumentOutOfRangeException Array Attribute Boolean
  Buffer Byte Char Console Convert DateTime DateTimeOffset Decimal Delegate DivideByZeroException Double Enum
  Environment EventArgs EventHandler Exception Func GC Guid IAsyncDisposable IComparable IDisposable IEquatable
  IFormatProvider IndexOutOfRangeException Int16 Int32 Int64 InvalidCastException InvalidOperationException Lazy
  Math MathF Memory NotImplementedException NotSupportedException Nullable NullReferenceException Object
  ObjectDisposedException ObsoleteAttribute OperationCanceledException OverflowException Predicate Random
  ReadOnlyMemory ReadOnlySpan Serializable Single Span String StringComparer StringComparison TimeSpan
  TimeoutException Tuple Type UInt32 UInt64 Uri ValueTuple Version WeakReference`.split(/\s+/),
);

export function isCSharpName(name: string): boolean {
  return BUILTINS.has(name);
}

/** Names of members that most projects have several of, or that any library has. */
export const CSHARP_COMMON_MEMBERS = `Equals GetHashCode ToString CompareTo Clone Close Run Invoke Dispose Add
  Remove Contains Clear Count Get Set First Last Select Where Any All ToList ToArray Name Id Value Length Create
  Build Init Start Stop Write Read Send Execute Handle Process Parse TryParse Format Join Split Trim`.split(
  /\s+/,
);
