import type { ReactNode } from 'react';
import { usePersonName } from '../../shell/use-person-name.js';
import { useProjects } from '../../shell/use-projects.js';
import { words } from '../../ui/format.js';
import { Time } from '../../ui/time.js';
import type { MemoryRecord } from './kinds.js';
import { NodeLink } from './node-link.js';

/** When, by whom and from where: what is known about a record besides its text. */
export function Facts({ record }: { readonly record: MemoryRecord }) {
  const nameOf = usePersonName();
  const { nameOf: projectName } = useProjects();
  return (
    <dl className="facts">
      {record.kind === 'event' ? (
        <Fact name="Happened">
          <Time value={record.occurred_at} whole />
        </Fact>
      ) : (
        <>
          <Fact name="True">
            since <Time value={record.valid_from} whole />
            {record.valid_to !== null && (
              <>
                {' '}
                until <Time value={record.valid_to} whole />
              </>
            )}
          </Fact>
          {record.supersedes !== null && (
            <Fact name="Supersedes">
              <NodeLink id={record.supersedes} label="What held before" />
            </Fact>
          )}
          {record.confidence < 1 && <Fact name="Confidence">{Math.round(record.confidence * 100)}%</Fact>}
        </>
      )}
      <Fact name="Recorded">
        <Time value={record.created_at} whole /> by {nameOf(record.created_by)}
      </Fact>
      {record.updated_at !== record.created_at && (
        <Fact name="Last changed">
          <Time value={record.updated_at} whole />
        </Fact>
      )}
      {record.project_id !== null && <Fact name="Project">{projectName(record.project_id)}</Fact>}
      {record.kind === 'event' && (
        <>
          {record.session_id !== null && <Fact name="Conversation">{record.session_id}</Fact>}
          {Object.entries(record.provenance).map(([name, value = '']) => (
            <Fact key={name} name={SOURCES[name] ?? words(name)}>
              {isWebAddress(value) ? (
                <a href={value} target="_blank" rel="noreferrer">
                  {value}
                </a>
              ) : (
                value
              )}
            </Fact>
          ))}
        </>
      )}
    </dl>
  );
}

const SOURCES: Readonly<Record<string, string>> = {
  repo: 'Repository',
  commit_sha: 'Commit',
  pr_url: 'Pull request',
  issue_url: 'Issue',
};

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Other addresses, such as `javascript:`, stay text. */
function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}
