import type { TObject } from 'typebox';
import type { Log } from '../log.js';
import { suggest } from './boot-error.js';

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

/** The variables that begin with SERVICE_ and that no section reads. */
export function findStrayVariables(
  env: NodeJS.ProcessEnv,
  sections: readonly TObject[],
  reader: Reader = DEPLOYMENT,
): readonly StrayVariable[] {
  const properties = sections.flatMap((section) =>
    Object.values(section.properties as Record<string, { 'x-env'?: string; 'x-secret'?: boolean }>),
  );
  const known = properties.flatMap(({ 'x-env': name, 'x-secret': secret }) =>
    name === undefined ? [] : secret ? [name, `${name}_FILE`] : [name],
  );
  const names = [...known, ...OTHERS];
  return Object.keys(env)
    .filter((name) => name.startsWith('SERVICE_') && !OF_KUBERNETES.test(name) && !names.includes(name))
    .map((variable) => {
      const near = suggest(variable, names);
      const isNear = near.startsWith('Did you mean');
      const fault = `${variable} is not a setting of ${reader.name}`;
      return { variable, fault, remedy: isNear ? near : reader.remedy };
    });
}

/** Logs a warning with the remedy for each. */
export function warnOfStrayVariables(log: Log, variables: readonly StrayVariable[]): void {
  for (const { variable, fault, remedy } of variables) log.warn({ variable }, `${fault}. ${remedy}`);
}
