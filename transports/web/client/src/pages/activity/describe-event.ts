import type { LiveEvent } from '../../api/live.js';
import type { RecentEvent } from '../../api/recent-events.js';
import type { IconName } from '../../ui/icon.js';
import { count, counted, words } from '../../ui/format.js';

/** Kinds to filter by: the first word of the types of events. */
export const KINDS = [
  { value: 'file', label: 'Files' },
  { value: 'project', label: 'Projects' },
  { value: 'memory', label: 'Memory' },
  { value: 'member', label: 'Members' },
  { value: 'workspace', label: 'Workspaces' },
] as const;

const ICONS: Readonly<Record<string, IconName>> = {
  file: 'file',
  project: 'files',
  memory: 'memory',
  member: 'person',
  workspace: 'home',
};

/** An event in words: `subject` leads to what it is about, `text` goes on. */
export interface Sentence {
  readonly icon: IconName;
  readonly subject: string;
  readonly text: string;
  /** Undefined where what it is about is gone, or has no page. */
  readonly href?: string;
  /** Its record in memory, whose title is the better subject. */
  readonly record?:
    | { readonly tool: 'memory_get_event'; readonly input: { readonly event_id: string } }
    | { readonly tool: 'memory_get_node'; readonly input: { readonly node_id: string } };
  readonly isBad?: true;
}

export const kindOf = ({ type }: LiveEvent): string => type.slice(0, type.indexOf('.'));

/** Says what happened. */
export function describeEvent(event: RecentEvent, projectName: (id: string) => string | undefined): Sentence {
  const { type, data, others } = event;
  const field = (name: string) => textOf(data, name);
  const icon = ICONS[kindOf(event)] ?? 'activity';
  const name = projectName(field('project_id')); // unknown where it was deleted, or made just now
  const project = name ?? 'a project';
  const verb = words(type.slice(type.lastIndexOf('.') + 1)).toLowerCase();
  const more = others > 0 ? `and ${counted(others, 'more file')} ` : '';
  const were = others > 0 ? 'were' : 'was';
  switch (type) {
    case 'file.indexed':
      return {
        icon,
        subject: field('path'),
        text: `${more}${were} indexed in ${project}`,
        href: fileHref(data),
      };
    case 'file.removed':
      return { icon, subject: field('path'), text: `${more}${were} removed from ${project}` };
    case 'file.failed': {
      const text = `${more}could not be indexed in ${project}: ${field('error')}`;
      return { icon, subject: field('path'), text, href: `${filesHref(data)}&state=failed`, isBad: true };
    }
    case 'project.ready': {
      const failed = Number(data['failed']);
      const indexed = `is ready: ${counted(Number(data['indexed']), 'file')} indexed`;
      const text = failed === 0 ? indexed : `${indexed}, ${count(failed)} failed`;
      return { icon, subject: name ?? 'A project', text, href: filesHref(data) };
    }
    case 'project.deleted':
      return { icon, subject: name ?? 'A project', text: 'was deleted with its files' };
    case 'project.created':
    case 'project.updated':
      return { icon, subject: field('name'), text: `was ${verb}`, href: filesHref(data) };
    case 'memory.imported':
      return {
        icon,
        subject: counted(Number(data['records']), 'record'),
        text: 'imported into memory',
        href: '/memory',
      };
    case 'memory.event.deleted':
    case 'memory.node.deleted':
      return {
        icon,
        subject: type === 'memory.event.deleted' ? 'A memory event' : 'A piece of knowledge',
        text: 'was deleted',
      };
    case 'workspace.created':
    case 'workspace.updated':
    case 'workspace.deleted':
      return { icon, subject: field('name') || 'A workspace', text: `was ${verb}` };
    case 'member.invited':
      return { icon, subject: 'A person', text: `was invited as ${field('role')}` };
    case 'member.uninvited':
      return { icon, subject: 'An invitation', text: 'was declined or withdrawn' };
    case 'member.added':
      return { icon, subject: 'A person', text: `became a member, with the role ${field('role')}` };
    case 'member.updated':
      return { icon, subject: 'A member', text: `has the role ${field('role')} now` };
    case 'member.removed':
      return { icon, subject: 'A person', text: 'is not a member any longer' };
    case 'tools.changed':
      return { icon, subject: 'The service', text: 'was started with other tools', href: '/health' };
    default:
      break;
  }
  if (type.startsWith('memory.event.') || type.startsWith('memory.node.')) {
    const isEvent = type.startsWith('memory.event.');
    const id = field('id');
    return {
      icon,
      subject: isEvent ? 'A memory event' : 'A piece of knowledge',
      text: `was ${verb === 'created' ? 'stored' : verb}`,
      href: `/memory?${new URLSearchParams({ [isEvent ? 'event' : 'node']: id }).toString()}`,
      record: isEvent
        ? { tool: 'memory_get_event', input: { event_id: id } }
        : { tool: 'memory_get_node', input: { node_id: id } },
    };
  }
  if (type.startsWith('memory.edge.'))
    return { icon, subject: 'A relation', text: `between two pieces of knowledge was ${verb}` };
  return { icon, subject: words(type.replaceAll('.', ' ')), text: '' }; // of a plugin
}

function textOf(data: LiveEvent['data'], name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}

function filesHref(data: LiveEvent['data']): string {
  return `/files?${new URLSearchParams({ project: textOf(data, 'project_id') }).toString()}`;
}

/** The file, with the folders above it open. */
function fileHref(data: LiveEvent['data']): string {
  const path = textOf(data, 'path');
  const names = path.split('/').slice(0, -1);
  const folders = names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`);
  const more = new URLSearchParams({ file: path, ...(folders.length > 0 && { open: folders.join('\n') }) });
  return `${filesHref(data)}&${more.toString()}`;
}
