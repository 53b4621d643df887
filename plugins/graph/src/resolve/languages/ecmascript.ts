import type { LanguageRules } from '../language-rules.js';
import { BUILTINS, isBuiltinName } from './ecmascript-builtins.js';
import { ecmascriptModules } from './ecmascript-modules.js';

/** TypeScript and JavaScript, which import each other. */
export const ecmascript: LanguageRules = {
  modules: ecmascriptModules,
  builtins: BUILTINS,
  literals: {
    string: 'String',
    number: 'Number',
    boolean: 'Boolean',
    regexp: 'RegExp',
    list: 'Array',
    tuple: 'Array',
    object: 'Object',
    generator: 'Generator',
    promise: 'Promise',
  },
  dictionary: 'Record',
  functionsBindThis: true,
  functionObjects: { prototype: 'prototype', call: 'call', apply: 'apply', bind: 'bind' },
  copiesMembers: 'Object.assign',
  makesObject: 'Object.create',
  awaitsAll: 'Promise.all',
  iterator: { members: ['[Symbol.iterator]', '[Symbol.asyncIterator]'], next: 'next', value: 'value' },
  hoistsFunctions: true,
  overloads: 'implementation',
  recordLiterals: true,
  isPrivateName: (name) => name.startsWith('#'),
  linkedByImports: true,
  ambientTypes: true,
  typesWholeRests: true,
  utilityTypes: {
    Awaited: 'awaited',
    ConstructorParameters: 'parameters',
    InstanceType: 'instance',
    NoInfer: 'same',
    NonNullable: 'same',
    Omit: 'same',
    Parameters: 'parameters',
    Partial: 'same',
    Pick: 'same',
    Readonly: 'same',
    Required: 'same',
    ReturnType: 'result',
  },
  exportsName: 'exports',
  // A declaration file exports all that it declares.
  hidesNames: (path) => !/\.d\.(?:\w+\.)?[cm]?ts$/.test(path),
  callMember: '@call',
  constructMember: '@new',
  isBuiltin: isBuiltinName,
};
