import type { LanguageRules } from '../language-rules.js';
import { PYTHON_BUILTINS } from './python-builtins.js';
import { pythonModules } from './python-modules.js';
import { BUILTINS, COMMON_MEMBERS } from './python-names.js';

export const python: LanguageRules = {
  modules: pythonModules,
  builtins: PYTHON_BUILTINS,
  literals: {
    string: 'str',
    number: 'int',
    list: 'list',
    tuple: 'tuple',
    set: 'set',
    object: 'dict',
    generator: 'Generator',
    promise: 'Coroutine',
  },
  builtinModules: ['typing', 'typing_extensions', 'collections.abc'],
  assignedNames: 'local',
  receiver: 'dynamic',
  isPrivateName: (name) => name.startsWith('__') && !name.endsWith('__'),
  memberOrder: 'c3',
  flow: 'ordered',
  structuralInterfaces: true,
  defaults: 'definition',
  wildcardTakes: (name) => !name.startsWith('_'),
  constructors: ['__init__', '__new__'],
  builtinsCall: true,
  callMember: '__call__',
  missingMember: '__getattr__',
  protocol: {
    each: '__iter__',
    next: '__next__',
    enter: '__enter__',
    exit: '__exit__',
    index: '__getitem__',
    await: '__await__',
  },
  operationsCall: true,
  constantKeys: true,
  commonMembers: COMMON_MEMBERS,
  isBuiltin: (name) => BUILTINS.has(name),
};
