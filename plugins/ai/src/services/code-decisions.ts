import { CallAdmission, provideForCall, token } from '@service-mcp/core';
import {
  KnowledgeByCode,
  standingOf,
  type CodeDecision,
  type CodePlace,
} from '@service-mcp/plugin-memory/contract';
import type { Candidate } from '../packing/candidate.js';
import { distinct } from '../packing/distinct.js';

/** The decisions in force about the code that a search found, whatever words they are written in. */
export interface CodeDecisions {
  find(found: readonly Candidate[], workspaceId: string): Promise<Candidate[]>;
}
export const CodeDecisions = token<CodeDecisions>('ai.CodeDecisions');

/** Places of code whose decisions are looked up, their least score, and decisions of one project. */
const MAX_PLACES = 6;
const MIN_SCORE = 0.3;
const MAX_DECISIONS = 20;

export const codeDecisions = provideForCall(CodeDecisions, {
  uses: { knowledge: KnowledgeByCode, admission: CallAdmission },
  create: ({ knowledge, admission }): CodeDecisions => ({
    async find(found, workspaceId) {
      if (!admission.workspaceIds.includes(workspaceId)) return [];
      const best = distinct(found.filter(({ kind, score }) => kind === 'code' && score >= MIN_SCORE));
      const ofProject = new Map<string, Candidate[]>();
      for (const code of best.slice(0, MAX_PLACES))
        if (code.projectId !== undefined)
          ofProject.set(code.projectId, [...(ofProject.get(code.projectId) ?? []), code]);
      const candidates: Candidate[] = [];
      for (const [projectId, codes] of ofProject) {
        const places = codes.flatMap(({ path }) => (path === undefined ? [] : [{ path }]));
        const { items } = await knowledge.decisions({ workspaceId, projectId }, places, MAX_DECISIONS);
        for (const decision of items) candidates.push(...candidateOf(decision, codes));
      }
      return candidates;
    },
  }),
});

/** With the score of the best code that it is about. */
function candidateOf(
  { id, title, content, decided_at, places, ...decision }: CodeDecision,
  codes: readonly Candidate[],
): Candidate[] {
  for (const code of codes) {
    const place = places.find((each) => isAbout(each, code));
    if (!place) continue;
    const { path, symbol } = place;
    const about = symbol === undefined ? path : `${path}#${symbol}`;
    const date = decided_at.slice(0, 10);
    const standing = standingOf(decision).join(', ');
    const reason = `decision of ${date}${standing === '' ? '' : `, ${standing}`}, about ${about}`;
    const stands = standing === '' ? {} : { standing };
    return [{ kind: 'decision', title, id, date, text: content, score: code.score, ...stands, reason }];
  }
  return [];
}

/** A decision about a class is about its methods, and one about a method is worth knowing before the class changes. */
function isAbout(place: CodePlace, { path, title }: Candidate): boolean {
  if (place.path !== path) return false;
  const symbol = title.replace(/~\d+$/, '');
  if (place.symbol === undefined || symbol === '') return true;
  return `${symbol}.`.startsWith(`${place.symbol}.`) || place.symbol.startsWith(`${symbol}.`);
}
