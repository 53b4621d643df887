import type { TObject } from 'typebox';
import type { Log } from '../log.js';
import { BootError, suggest } from './boot-error.js';
import { coreSections } from './config.js';

/** A variable that nothing reads. */
export interface StrayVariable {
  readonly variable: string;
  /** That it is not a setting of this process. */
  readonly fault: string;
  readonly remedy: string;
}

/** The process that reads the sections: its name, and the remedy for a variable that is not near any of its settings. */
interface Reader {
  readonly name: string;
  readonly remedy: string;
}

const DEPLOYMENT: Reader = {
  name: 'this deployment',
  remedy: 'Unset it, or enable the plugin that reads it.',
};

/** Read by the command line and the gateway. */
const OTHERS = [
  'SERVICE_API_ANSWER_TIMEOUT_MS',
  'SERVICE_API_CONNECT_TIMEOUT_MS',
  'SERVICE_API_KEY',
  'SERVICE_API_KEY_FILE',
  'SERVICE_API_URL',
  'SERVICE_CONFIG',
  'SERVICE_DATA_DIR',
  'SERVICE_DEBUG',
];
/** Kubernetes sets these in every container beside a service named service-mcp. */
const OF_KUBERNETES = /^SERVICE_MCP_(?:SERVICE_|PORT)/;

interface Variable {
  readonly 'x-env'?: string;
  readonly 'x-secret'?: boolean;
}

/** What a section reads; of a secret, also the variable that names its file. */
function variablesOf({ properties }: TObject): string[] {
  return Object.values(properties as Record<string, Variable>).flatMap(
    ({ 'x-env': name, 'x-secret': secret }) =>
      name === undefined ? [] : secret ? [name, `${name}_FILE`] : [name],
  );
}

/** The variables that begin with SERVICE_ and that no section reads. */
export function findStrayVariables(
  env: NodeJS.ProcessEnv,
  sections: readonly TObject[],
  reader: Reader = DEPLOYMENT,
): readonly StrayVariable[] {
  const names = [...sections.flatMap(variablesOf), ...OTHERS];
  return Object.keys(env)
    .filter((name) => name.startsWith('SERVICE_') && !OF_KUBERNETES.test(name) && !names.includes(name))
    .map((variable) => {
      const near = suggest(variable, names);
      const isNear = near.startsWith('Did you mean');
      const fault = `${variable} is not a setting of ${reader.name}`;
      return { variable, fault, remedy: isNear ? near : reader.remedy };
    });
}

/** Refuses settings that read a variable of core's own sections: its value was never meant for them. */
export function refuseOwnVariables(part: string, { properties }: TObject): void {
  const own = new Set(Object.values(coreSections).flatMap((section) => variablesOf(section)));
  for (const [key, property] of Object.entries(properties as Record<string, Variable>)) {
    const name = property['x-env'];
    if (name !== undefined && own.has(name))
      throw new BootError(
        `settings of "${part}"`,
        `${key} reads ${name}, which is a setting of the service itself`,
        'Name a variable of its own in x-env.',
      );
  }
}

/** Logs a warning with the remedy for each. */
export function warnOfStrayVariables(log: Log, variables: readonly StrayVariable[]): void {
  for (const { variable, fault, remedy } of variables) log.warn({ variable }, `${fault}. ${remedy}`);
}
