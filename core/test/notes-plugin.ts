import { Type, type Static } from 'typebox';
import {
  Page,
  RecordSchema,
  WorkQueues,
  addUniqueIndex,
  addWorkColumns,
  closed,
  createRecordTable,
  definePlugin,
  defineTool,
  paging,
  provide,
  provideRecords,
  recordEvents,
  token,
  type Records,
} from '@service-mcp/core';
import { membershipsIn } from '@service-mcp/core/testing';

const Note = RecordSchema({ title: Type.String(), state: Type.String(), marks: Type.Array(Type.String()) });
/** What the follower was told, in order. */
export const followed: string[] = [];
export type Note = Static<typeof Note>;
const Notes = token<Records<Note>>('notes.Notes');
/** Of records that no search has. */
const Label = RecordSchema({ title: Type.String() });
export type Label = Static<typeof Label>;
const Labels = token<Records<Label>>('notes.Labels');
const scope = 'notes:write';
const common = { output: Note, effect: 'update', uses: { notes: Notes } } as const;
const title = Type.String({ maxLength: 20, description: 'Title' });
const Id = Type.String({ maxLength: 40, description: 'Id' });
const named = Type.Object({ id: Id }, closed);
/** Admitted to all that the caller may see: the records alone confine these. */
const visible = { scope, in: 'visible', role: 'member' } as const;

/** Keeps notes, which a search has, and labels, which none has. */
export const notesPlugin = definePlugin({
  id: 'notes',
  description: 'Notes.',
  api: '^1',
  migrations: [
    {
      id: '001_create_notes',
      async up(sql) {
        await createRecordTable(sql, 'notes', (table) => {
          for (const column of ['title', 'state', 'marks']) table.text(column).notNullable();
        });
        await addUniqueIndex(sql, 'notes', ['workspace_id', 'title']);
        await createRecordTable(sql, 'labels', (table) => table.text('title').notNullable());
        await sql.schema.createTable('label_jobs', (table) => {
          for (const column of ['id', 'workspace_id']) table.text(column).notNullable();
        });
        await addWorkColumns(sql, 'label_jobs');
      },
    },
  ],
  services: [
    ...provideRecords(Notes, {
      table: 'notes',
      resource: 'note',
      listedBy: 'notes_list',
      schema: Note,
      unique: ['workspace_id', 'title'],
      scope: 'notes:read',
      follow: async (sql, { id, title, marks }, change, { caller }) => {
        followed.push(`${change} ${title} [${marks.join(' ')}] by ${caller.name}`);
        if (change === 'updated' && title === 'fragile') throw new Error('the follower fails');
        await sql('notes').where({ id }).select('id'); // in the transaction: SQLite has one connection
      },
    }),
    provide(token('notes.Queue'), {
      uses: { queues: WorkQueues },
      create: ({ queues }) => queues.open({ name: 'notes', table: 'notes' }),
    }),
    ...provideRecords(Labels, {
      table: 'labels',
      resource: 'label',
      listedBy: 'notes_list',
      schema: Label,
      queued: false,
      async follow(sql, { id, workspace_id }, change, _admission, queues) {
        const jobs = queues.open({ name: 'label_jobs', table: 'label_jobs' });
        if (change === 'created') await sql('label_jobs').insert({ id, workspace_id, ...jobs.added() });
      },
    }),
    membershipsIn(
      new Map([
        ['ann', new Set(['w1', 'w2'])],
        ['bob', new Set(['w1'])],
      ]),
    ),
  ],
  events: recordEvents('notes:read', { 'note.created': 'Made.', 'note.done': 'Done.', 'note.gone': 'Gone.' }),
  toolsets: [
    {
      id: 'notes',
      description: 'Notes.',
      tools: [
        defineTool({
          ...common,
          name: 'notes_create',
          title: 'Create',
          description: 'Creates a note in a workspace.',
          input: Type.Object({ workspace_id: Id, title }, closed),
          access: { scope, in: 'workspace' },
          handler: (input, { notes }) =>
            notes.create({ title: input.title, state: 'open', marks: ['"new"'] }, 'note.created'),
        }),
        defineTool({
          ...common,
          name: 'notes_list',
          title: 'List',
          description: 'Lists the notes that the caller may see.',
          input: Type.Object({ title: Type.Optional(title), ...paging }, closed),
          output: Page(Note),
          access: visible,
          handler: (input, { notes }) => notes.list(input, { title: input.title }),
        }),
        defineTool({
          ...common,
          name: 'notes_get',
          title: 'Get',
          description: 'Returns one note of the caller.',
          input: named,
          access: visible,
          handler: ({ id }, { notes }) => notes.get(id),
        }),
        defineTool({
          ...common,
          name: 'notes_finish',
          title: 'Finish',
          description: 'Marks one note as done.',
          input: named,
          access: visible,
          handler: ({ id }, { notes }) => notes.update(id, { state: 'done' }, 'note.done'),
        }),
        defineTool({
          ...common,
          name: 'notes_swap',
          title: 'Swap',
          description: 'Swaps the marks of two notes of the caller.',
          input: Type.Object({ id: Id, other: Id }, closed),
          access: visible,
          handler: ({ id, other }, { notes }) =>
            notes.change(async (own) => {
              const [a, b] = [await own.get(id), await own.get(other)];
              await own.update(id, { marks: b.marks, state: 'swapped' }, 'note.done');
              return own.update(other, { marks: a.marks, state: 'swapped' }, 'note.done');
            }),
        }),
        defineTool({
          ...common,
          name: 'notes_delete',
          title: 'Delete',
          description: 'Deletes one note of the caller.',
          input: named,
          access: visible,
          handler: ({ id }, { notes }) => notes.remove(id, 'note.gone'),
        }),
        defineTool({
          ...common,
          name: 'notes_label',
          title: 'Label',
          description: 'Creates a label in a workspace.',
          input: Type.Object({ workspace_id: Id, title }, closed),
          output: Label,
          access: { scope, in: 'workspace' },
          uses: { labels: Labels },
          handler: (input, { labels }) => labels.create({ title: input.title }, 'note.created'),
        }),
        defineTool({
          ...common,
          name: 'notes_unlabel',
          title: 'Unlabel',
          description: 'Changes and deletes one label of the caller.',
          input: named,
          output: Label,
          access: visible,
          uses: { labels: Labels },
          async handler({ id }, { labels }) {
            await labels.update(id, { title: 'last' }, 'note.done');
            return labels.remove(id, 'note.gone');
          },
        }),
      ],
    },
  ],
});
