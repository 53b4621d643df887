/** The contract for plugins and transports: what is exported here is public. */
export { LazyAbort, anySignal } from './abort.js';
export * from './read-text.js';
export { timeLimit } from './time-limit.js';
export { parseLines, MAX_LINE_BYTES, type Line } from './lines.js';
export { lazyCall, amendCall, type CallFacts } from './call.js';
export { auditTarget } from './call/audit-target.js';
export {
  ROLES,
  roleAtLeast,
  LOCAL_OWNER,
  ANONYMOUS,
  holdsScope,
  requireScope,
  mayUse,
  SURFACES,
  type Role,
  type Caller,
  type CountedCall,
  type Surface,
  type Progress,
  type Notice,
  type CallContext,
  type Remark,
  type RateState,
  type Admission,
} from './caller.js';
export {
  type ToolInfo,
  type ToolResult,
  type ResourceInfo,
  type ResourceTemplateInfo,
  type Chosen,
  type PromptInfo,
  type PromptMessage,
  type CatalogChange,
  type ResourceListener,
  type EventStreamRequest,
  type StreamedEvent,
  type Catalog,
} from './catalog.js';
export {
  content,
  passedOn,
  inputRequired,
  isInputRequired,
  type ContentBlock,
  type FinishedCall,
  type InnerCall,
  type ResourceContent,
  type Content,
  type InputRequest,
  type InputRequired,
} from './content.js';
export {
  ERRORS,
  ServiceError,
  invalidArgument,
  notFound,
  isChallenged,
  toServiceError,
  type ErrorCode,
  type Issue,
  type ErrorBody,
} from './errors.js';
export { FairQueue, type FairQueueLimits, type Share } from './fair-queue.js';
export { uuidv7 } from './id.js';
export { Quotas } from './quotas.js';
export { CallUsage, type UsageRequest, type UsageRow } from './call-usage.js';
export { FormerPlugins } from './former-plugins.js';
export { Metrics } from './metrics.js';
export { namedOrigin } from './named-origin.js';
export { networkOf } from './network.js';
export {
  selectPage,
  pageOf,
  pageNote,
  pageText,
  countRows,
  type PageOf,
  type PageRequest,
} from './paging.js';
export {
  defineWorker,
  defineResource,
  definePrompt,
  defineRoutes,
  defineConfig,
  definePlugin,
  type Toolset,
  type Migration,
  type Worker,
  type Apart,
  type Resource,
  type Prompt,
  type Routes,
  type Config,
  type ConfigToken,
  type EventType,
  type Plugin,
} from './plugin.js';
export { createRecordTable, addUniqueIndex, insertIfAbsent } from './record-table.js';
export { jsonCodec, jsonColumns } from './json-columns.js';
export {
  RecordSchema,
  recordEvents,
  provideRecords,
  type RecordChange,
  type RecordChanges,
  type RecordValues,
  type Records,
} from './records.js';
export { redact } from './redact.js';
export {
  closed,
  closedAs,
  Id,
  isId,
  IndexingStatusFilter,
  storedStatus,
  TimeOrDay,
  type DayMeans,
  Timestamp,
  nullable,
  paging,
  Page,
} from './schemas.js';
export { Events, type ChangeEvent, type NewChangeEvent, type RecordEvents } from './change-events.js';
export { Database, type Query, type Sql } from './database.js';
export { Log } from './log.js';
export {
  Clock,
  SchemaChecks,
  Deployment,
  Authenticator,
  Directory,
  Memberships,
  ResourceOwners,
  RateLimits,
  AuditTrail,
  FirstRun,
  LocalCatalog,
  CallAdmission,
  HealthChecks,
  Leases,
  RegistryView,
  type Origins,
  type Headers,
  type AuthenticationRequest,
  type ResourceOwner,
  type AuditEntry,
  type HealthCheck,
  type Lease,
} from './services.js';
export {
  InvitationRecords,
  PendingMemberships,
  inviterOf,
  type AcceptedMembership,
  type PendingMembership,
} from './pending-memberships.js';
export { Seal } from './seal.js';
export {
  editDistance,
  estimateTokens,
  isStorable,
  normalEmail,
  oneLine,
  plural,
  projectPath,
} from './text.js';
export {
  token,
  optional,
  collect,
  provide,
  provideForCall,
  contribute,
  type Token,
  type OptionalToken,
  type Collection,
  type Uses,
  type Resolved,
  type Provider,
} from './token.js';
export {
  BODY_LIMIT,
  declaredPaths,
  defineTool,
  roleInWorkspace,
  type JsonSchema,
  type Access,
  type HttpRoute,
  type AdmittedCall,
  type Tool,
} from './tool.js';
export { THREAD_ARGUMENTS, Thread, ThreadFailure, stoppingError, type ThreadOptions } from './thread.js';
export { LEVELS, selects, type Effect, type Selection } from './toolset.js';
export {
  WorkQueues,
  WORK_PENDING,
  addWorkColumns,
  requeueRows,
  type ClaimLimits,
  type WaitingWork,
  type WorkOutcome,
  type WorkStatus,
  type WorkRow,
  type WorkQueue,
} from './work.js';
export {
  VIEW_ICONS,
  type RowAction,
  type ServedView,
  type View,
  type ViewIcon,
  type ViewOf,
} from './view.js';
export { AccountData, type DeletedAccount } from './account-data.js';
export { WorkspaceData, workspaceRows } from './workspace-data.js';
export {
  type RouteDescription,
  type RouteParameter,
  type BodyDescription,
  type AnswerDescription,
  type FailureForm,
  type OwnedRoute,
} from './route-description.js';
export {
  defineTransport,
  type AcceptRequest,
  type AcceptedCall,
  type TransportContext,
  type Transport,
} from './transport.js';
export { idsStartingWith, rowOwner } from './row-owner.js';
export { whereContains } from './where-contains.js';
