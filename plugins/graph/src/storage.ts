import type { Plugin } from '@service-mcp/core';
import { graphConfig } from './config.js';
import { createGraph } from './migrations/001-create-graph.js';
import { indexNotes } from './migrations/002-index-notes.js';
import { graphServices, graphWorker, type Resolver } from './services/providers.js';

/** The parts of the plugin that store graphs. Tests pass a resolver that fails. */
export function graphStorage(
  resolver: Resolver,
): Pick<Plugin, 'config' | 'migrations' | 'services' | 'workers'> {
  return {
    config: graphConfig,
    migrations: [createGraph, indexNotes],
    services: graphServices(resolver),
    workers: [graphWorker],
  };
}
