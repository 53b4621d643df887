import { definePlugin } from '@service-mcp/core';
import { changesOfEvents, eventSource, events } from './events.js';
import { changesOfEdges } from './edges.js';
import { createMemory } from './migrations/001-create-memory.js';
import { createEdges } from './migrations/002-create-edges.js';
import { createFindings } from './migrations/003-create-findings.js';
import { orderExports } from './migrations/004-order-exports.js';
import { indexPages } from './migrations/005-index-pages.js';
import { codePlaces } from './migrations/006-code-places.js';
import { countRecords } from './migrations/007-count-records.js';
import { createKeptApart } from './migrations/008-create-kept-apart.js';
import { createUnfinishedHistories } from './migrations/009-create-unfinished-histories.js';
import { orderChanges } from './migrations/010-order-changes.js';
import { createLeftTerms } from './migrations/011-create-left-terms.js';
import { indexTitles } from './migrations/012-index-titles.js';
import { createRemovedRecords } from './migrations/013-create-removed-records.js';
import { findExactCopies } from './migrations/014-find-exact-copies.js';
import { findParaphrases } from './migrations/015-find-paraphrases.js';
import { changesOfNodes, nodeSource, nodes } from './nodes.js';
import { handOverSession } from './prompts/hand-over-session.js';
import { recordDecision } from './prompts/record-decision.js';
import { reviewKnowledge } from './prompts/review-knowledge.js';
import { decisionsResource } from './resources/decisions.js';
import { memoryResource } from './resources/memory.js';
import { memoryData, projectMemory } from './services/memory-data.js';
import { nodeChanges } from './services/node-changes.js';
import { nodeVersions } from './services/node-versions.js';
import { decisions } from './services/decisions.js';
import { expireChanges } from './services/expire-changes.js';
import { facets } from './services/facets.js';
import { hygiene } from './services/hygiene.js';
import { exportedKeptApart, keptApart } from './services/kept-apart.js';
import { knowledgeByCode } from './services/knowledge-by-code.js';
import { knowledgeEdges } from './services/knowledge-edges.js';
import { memorySearch } from './services/memory-search.js';
import { memoryWriter } from './services/memory-writer.js';
import { overviewPart } from './services/overview-part.js';
import { recentEvents } from './services/recent-events.js';
import { references } from './services/code-refs.js';
import { checkWorker } from './services/record-checks.js';
import { changeOwner, memoryOwner } from './services/resource-owners.js';
import { screening } from './services/screening.js';
import { sessions } from './services/sessions.js';
import { timeline } from './services/timeline.js';
import { undoableChanges } from './services/undoable-changes.js';
import { createEvent } from './tools/create-event.js';
import { createNode } from './tools/create-node.js';
import { exportMemory } from './tools/export-memory.js';
import { importMemory } from './tools/import-memory.js';
import { deleteEvent } from './tools/delete-event.js';
import { deleteMany } from './tools/delete-many.js';
import { deleteNode } from './tools/delete-node.js';
import { getEvent } from './tools/get-event.js';
import { getNode } from './tools/get-node.js';
import { keepApart } from './tools/keep-apart.js';
import { listDecisions } from './tools/list-decisions.js';
import { listEvents } from './tools/list-events.js';
import { listNodes } from './tools/list-nodes.js';
import { merge } from './tools/merge.js';
import { nodeHistory } from './tools/node-history.js';
import { readFacets } from './tools/read-facets.js';
import { readTimeline } from './tools/timeline.js';
import { reportHygiene } from './tools/report-hygiene.js';
import { searchMemory } from './tools/search-memory.js';
import { setNodeStatus } from './tools/set-node-status.js';
import { supersedeNode } from './tools/supersede-node.js';
import { undo } from './tools/undo.js';
import { updateEvent } from './tools/update-event.js';
import { updateNode } from './tools/update-node.js';
import { changesOfImports } from './transfer/events.js';
import { exportedMemory, memoryExport } from './transfer/memory-export.js';
import { memoryImport } from './transfer/memory-import.js';

export default definePlugin({
  id: 'memory',
  description:
    'Memory of a workspace: events, knowledge nodes with their versions, decisions and a timeline.',
  api: '^1',
  requires: ['workspaces', 'search', 'secrets'],
  migrations: [
    createMemory,
    createEdges,
    createFindings,
    orderExports,
    indexPages,
    codePlaces,
    countRecords,
    createKeptApart,
    createUnfinishedHistories,
    orderChanges,
    createLeftTerms,
    indexTitles,
    createRemovedRecords,
    findExactCopies,
    findParaphrases,
  ],
  services: [
    ...events,
    ...nodes,
    eventSource,
    nodeSource,
    nodeVersions,
    nodeChanges,
    knowledgeEdges,
    knowledgeByCode,
    references,
    screening,
    sessions,
    memoryWriter,
    undoableChanges,
    changeOwner,
    memoryOwner,
    memorySearch,
    recentEvents,
    decisions,
    timeline,
    facets,
    hygiene,
    keptApart,
    exportedKeptApart,
    overviewPart,
    memoryData,
    projectMemory,
    memoryExport,
    exportedMemory,
    memoryImport,
  ],
  workers: [expireChanges, checkWorker],
  events: [...changesOfEvents, ...changesOfNodes, ...changesOfEdges, changesOfImports],
  resources: [decisionsResource, memoryResource],
  prompts: [recordDecision, reviewKnowledge, handOverSession],
  toolsets: [
    {
      id: 'memory',
      description: 'Store, search and correct what a team remembers.',
      tools: [
        createEvent,
        listEvents,
        getEvent,
        updateEvent,
        deleteEvent,
        createNode,
        listNodes,
        getNode,
        updateNode,
        deleteNode,
        nodeHistory,
        setNodeStatus,
        supersedeNode,
        searchMemory,
        listDecisions,
        readTimeline,
        readFacets,
        reportHygiene,
        merge,
        keepApart,
        deleteMany,
        undo,
        importMemory,
        exportMemory,
      ],
    },
  ],
});
