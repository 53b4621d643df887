/** Methods that every object has, and classes of the core and the standard library. */
export const KERNEL: ReadonlySet<string> = new Set(
  `
abort at_exit autoload binding block_given? caller catch class clone define_method define_singleton_method dup
enum_for eql? equal? eval exit exit! extend fail
format freeze frozen? gets global_variables hash inspect instance_eval instance_exec instance_of?
instance_variable_defined? instance_variable_get instance_variable_set instance_variables is_a? itself kind_of? lambda load local_variables loop method methods
module_function nil? object_id open p pp print printf private private_class_method private_constant proc protected
public public_send putc puts raise rand readline readlines require require_relative respond_to? select send singleton_class
sleep spawn sprintf srand system tap test then throw to_enum to_s trap warn yield_self class_eval module_eval
instance_methods attr attr_reader attr_writer attr_accessor alias_method include prepend remove_method undef_method
const_get const_set const_missing included extended inherited prepended method_added using refine
Array Complex Float Hash Integer Rational String
ArgumentError BasicObject Benchmark BigDecimal Binding CSV Class Comparable Date DateTime Dir ENV EOFError ERB Encoding
EncodingError Enumerable Enumerator Errno Exception FalseClass Fiber File FileUtils Find FloatDomainError FrozenError
GC IO IOError IndexError Interrupt JSON Kernel KeyError LoadError LocalJumpError Logger Marshal MatchData Math Method
Module Monitor Mutex NameError Net NilClass NoMatchingPatternError NoMethodError NotImplementedError Numeric Object
ObjectSpace OpenSSL OpenStruct OptionParser Pathname Proc Process Psych Queue Ractor Random Range RangeError Regexp
RegexpError Ruby RuntimeError SecureRandom SecurityError Set Shellwords Signal SignalException Socket StandardError
StopIteration StringIO StringScanner Struct Symbol SyntaxError SystemCallError SystemExit TCPServer TCPSocket Tempfile
Thread ThreadError Time Timeout TracePoint TrueClass TypeError URI UnboundMethod UncaughtThrowError WeakRef YAML
ZeroDivisionError Zlib ARGF ARGV STDERR STDIN STDOUT RUBY_VERSION RUBY_PLATFORM DATA
`.match(/\S+/g),
);
