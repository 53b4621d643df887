import { Link, useLocation } from 'wouter';
import type { Output } from '../api/call.js';
import { useTool } from '../api/use-tool.js';
import { PAGES } from '../pages.js';
import { sentence } from './format.js';

const TOOL = /\b([a-z]+(?:_[a-z]+)+)\b/;

const CALL = /^Call ([a-z]+(?:_[a-z]+)+)\b/;
const EITHER = /\b([a-z]+(?:_[a-z]+)+) or ([a-z]+(?:_[a-z]+)+)\b/g;
const HERE = 'this page';
const STARTS_SENTENCE = /(?:^|[.!?]\s+)$/;

/**
 * A message of the service. It names tools, for programs; here each is the button of this page that calls it, this page
 * where no button is known, or leads to the page where a person does the same. Whoever is on this page is not told to call
 * it, nor offered it beside another.
 */
export function Message({ text }: { readonly text: string }) {
  const { data: deployment } = useTool('deployment_get', {});
  const [location] = useLocation();
  const find = (tool: string | undefined) =>
    tool !== undefined && deployment ? placeOf(tool, deployment) : undefined;
  const isHere = (place: Place | undefined) => place?.path === location && place.button === undefined;
  const parts = text
    .split(/(?<=\.) /)
    .filter((each) => !isHere(find(CALL.exec(each)?.[1])))
    .join(' ')
    .replace(EITHER, (both: string, one: string, other: string) =>
      isHere(find(other)) ? one : isHere(find(one)) ? other : both,
    )
    .split(TOOL); // every second one is what the pattern matched
  return parts.map((part, index) => {
    const place = index % 2 === 1 ? find(part) : undefined;
    if (!place) return part;
    const { path, label, button } = place;
    if (isHere(place)) return STARTS_SENTENCE.test(parts[index - 1] ?? '') ? sentence(HERE) : HERE;
    if (path === location) return `“${button}”`;
    return (
      // oxlint-disable-next-line react/no-array-index-key -- a part of a text has no name but its place
      <Link key={index} href={path}>
        {label}
      </Link>
    );
  });
}

interface Place {
  readonly path: string;
  readonly label: string;
  /** What calls the tool there. */
  readonly button?: string;
}

/** The page that a plugin declares over a tool, else the page over tools of its kind, else its form in the Explorer. */
function placeOf(tool: string, { toolsets, views }: Output<'deployment_get'>): Place | undefined {
  if (!toolsets.some(({ tools }) => tools.includes(tool))) return undefined;
  for (const { plugin, id, title, list, create, remove, actions } of views) {
    const button = [...actions, ...(remove ? [remove] : [])].find((action) => action.tool === tool)?.label;
    if (button === undefined && ![list, create].includes(tool)) continue;
    return { path: `/views/${plugin}/${id}`, label: title, ...(button !== undefined && { button }) };
  }
  const kind = tool.slice(0, tool.indexOf('_') + 1);
  const page = PAGES.find(({ needs }) => needs?.startsWith(kind));
  return page ?? { path: `/explorer?tool=${tool}`, label: tool };
}
