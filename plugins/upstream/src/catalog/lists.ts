import type { Prompt, Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import type { PromptInfo, ResourceInfo, ResourceTemplateInfo } from '@service-mcp/core';

export function resourceInfo({ uri, ...rest }: Resource): ResourceInfo {
  return { uri, ...withDefaults(rest) };
}

export function templateInfo({ uriTemplate, ...rest }: ResourceTemplateType): ResourceTemplateInfo {
  return { uriTemplate, ...withDefaults(rest) };
}

function withDefaults({
  name,
  title = name,
  description = '',
  mimeType = 'text/plain',
}: Omit<Resource, 'uri'>) {
  return { name, title, description, mimeType };
}

export function promptInfo({
  name,
  title = name,
  description = '',
  arguments: args = [],
}: Prompt): PromptInfo {
  return {
    name,
    title,
    description,
    arguments: args.map((argument) => ({
      name: argument.name,
      description: argument.description ?? '',
      required: argument.required ?? false,
    })),
  };
}

const MAX_PAGES = 64;

/** Collects all pages of a list; the service sends one. */
export async function everyPage<T>(
  ask: (
    cursor: string | undefined,
  ) => Promise<{ readonly items: readonly T[]; readonly next: string | undefined }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, next } = await ask(cursor);
    all.push(...items);
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
  return all;
}
