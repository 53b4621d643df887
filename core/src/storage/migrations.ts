import type { Migration } from '../plugin.js';

/** Tables of core: change events, leases, counters, results of repeated calls, MCP sessions, secrets of all replicas, usage, the reserve of PostgreSQL's disk. */
export const CORE_MIGRATIONS: readonly Migration[] = [
  {
    id: '001_change_events_and_leases',
    async up(sql) {
      await sql.schema.createTable('change_events', (table) => {
        table.bigIncrements('id');
        table.text('type').notNullable();
        table.text('workspace_id');
        table.text('data').notNullable();
        table.text('occurred_at').notNullable().index();
      });
      await sql.schema.createTable('leases', (table) => {
        table.text('name').primary();
        table.text('holder').notNullable();
        table.text('expires_at').notNullable();
      });
    },
  },
  {
    id: '002_rate_counters_and_idempotency_keys',
    async up(sql) {
      await sql.schema.createTable('rate_counters', (table) => {
        table.text('key').primary();
        table.bigInteger('ends_at').notNullable().index();
        table.integer('used').notNullable();
      });
      await sql.schema.createTable('idempotency_keys', (table) => {
        table.text('user_id').notNullable();
        table.text('key').notNullable();
        table.text('tool').notNullable();
        table.text('request').notNullable();
        table.text('result');
        table.text('created_at').notNullable().index();
        table.primary(['user_id', 'key']);
      });
    },
  },
  {
    id: '003_sessions_and_ordered_events',
    async up(sql, engine) {
      await sql.schema.createTable('mcp_sessions', (table) => {
        table.text('id').primary();
        table.text('principal').notNullable();
        table.text('protocol_version').notNullable();
        table.text('state').notNullable();
        table.bigInteger('used_at').notNullable().index();
        table.index(['principal', 'used_at']);
      });
      await sql.schema.createTable('deployment_values', (table) => {
        table.text('name').primary();
        table.text('value').notNullable();
      });
      await sql.schema.alterTable('change_events', (table) => {
        const tx = table.bigInteger('tx').notNullable();
        if (engine === 'postgresql') tx.defaultTo(sql.raw('pg_current_xact_id()::text::bigint'));
        else tx.defaultTo(0);
        table.index(['tx', 'id']);
      });
    },
  },
  {
    id: '004_owners_of_idempotency_keys',
    async up(sql) {
      await sql.schema.alterTable('idempotency_keys', (table) => {
        table.text('holder').notNullable().defaultTo('');
        table.text('alive_until').notNullable().defaultTo('');
        table.text('made');
      });
    },
  },
  {
    id: '005_call_usage',
    async up(sql) {
      await sql.schema.createTable('call_usage', (table) => {
        table.text('hour').notNullable();
        table.text('workspace_id').notNullable(); // empty: of no workspace, or of several
        table.text('tool').notNullable();
        table.text('outcome').notNullable();
        table.integer('bucket').notNullable();
        table.bigInteger('calls').notNullable();
        table.primary(['hour', 'workspace_id', 'tool', 'outcome', 'bucket']);
        table.index(['workspace_id', 'hour']);
      });
    },
  },
  {
    id: '006_disk_reserve',
    async up(sql, engine) {
      if (engine === 'sqlite') return; // a file beside the database
      await sql.raw('CREATE TABLE disk_reserve (filler varchar(400) NOT NULL) WITH (fillfactor = 10)');
    },
  },
  {
    id: '007_workspaces_of_idempotency_keys',
    async up(sql) {
      await sql.schema.alterTable('idempotency_keys', (table) => {
        table.text('workspace_id').index(); // null: not of one workspace alone, or written before
      });
    },
  },
];
