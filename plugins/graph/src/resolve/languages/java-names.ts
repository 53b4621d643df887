/** Types of java.lang, which are visible without an import. */
const JAVA_LANG = new Set(
  `AbstractMethodError Appendable ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException
  AssertionError AutoCloseable Boolean Byte CharSequence Character Class ClassCastException ClassLoader
  ClassNotFoundException CloneNotSupportedException Cloneable Comparable Deprecated Double Enum Error Exception
  ExceptionInInitializerError Float FunctionalInterface IllegalAccessException IllegalArgumentException
  IllegalMonitorStateException IllegalStateException IndexOutOfBoundsException InheritableThreadLocal
  InstantiationException Integer InternalError InterruptedException Iterable LinkageError Long Math Module
  NegativeArraySizeException NoClassDefFoundError NoSuchFieldException NoSuchMethodException
  NullPointerException Number NumberFormatException Object OutOfMemoryError Override Process ProcessBuilder
  ProcessHandle Readable Record ReflectiveOperationException Runnable Runtime RuntimeException SafeVarargs
  SecurityException Short StackOverflowError StackTraceElement StackWalker StrictMath String StringBuffer
  StringBuilder StringIndexOutOfBoundsException SuppressWarnings System Thread ThreadGroup ThreadLocal Throwable
  UnsupportedOperationException VirtualMachineError Void
  boolean byte char double float int long short void var`.split(/\s+/),
);

export function isJavaLang(name: string): boolean {
  return JAVA_LANG.has(name);
}

/** Names of members that most projects have several of, or that any library has. */
export const JAVA_COMMON_MEMBERS =
  `equals hashCode toString compareTo compare clone close run call accept apply
  test next hasNext iterator size isEmpty contains remove clear put getName getId getValue setValue name values
  valueOf ordinal length build builder of from create init start stop write read send execute handle process`.split(
    /\s+/,
  );
