import type { ErrorCode, RouteDescription } from '@service-mcp/core';
import {
  BODY_FAILURES,
  CALL_FAILURES,
  JSON_RPC_FAILURE,
  JSON_RPC_REQUEST,
  JSON_RPC_RESULT,
  SELECTION_PARAMETERS,
  SESSION_PARAMETER,
} from '@service-mcp/core/wire';

const text = { type: 'string' };
const anything = { type: 'object', additionalProperties: true };
const NARROWED = [...SELECTION_PARAMETERS, SESSION_PARAMETER];

const INITIALIZE = {
  title: 'InitializeParams',
  type: 'object',
  properties: {
    protocolVersion: { type: 'string', description: 'A revision of MCP; default the newest.' },
    capabilities: anything,
    clientInfo: {
      type: 'object',
      required: ['name', 'version'],
      properties: { name: text, version: text },
    },
  },
};

const INITIALIZED = {
  title: 'InitializeResult',
  type: 'object',
  required: ['protocolVersion', 'capabilities', 'serverInfo', 'instructions', 'session_id'],
  properties: {
    protocolVersion: text,
    capabilities: anything,
    serverInfo: { type: 'object', required: ['name', 'version'], properties: { name: text, version: text } },
    instructions: { type: 'string', description: 'For a model at the start of a conversation.' },
    session_id: { type: 'string', description: 'The same as in the header Mcp-Session-Id.' },
  },
};

const TOOL_LIST = {
  title: 'ToolList',
  type: 'object',
  required: ['tools'],
  properties: {
    tools: {
      type: 'array',
      items: {
        title: 'ToolEntry',
        type: 'object',
        required: ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'],
        properties: {
          name: text,
          title: text,
          description: text,
          inputSchema: { type: 'object', additionalProperties: true, description: 'JSON Schema' },
          outputSchema: { type: 'object', additionalProperties: true, description: 'JSON Schema' },
          annotations: anything,
        },
      },
    },
  },
};

const TOOL_RESULT = {
  title: 'ToolResult',
  type: 'object',
  required: ['content', 'structuredContent', 'isError'],
  properties: {
    content: { type: 'array', items: anything },
    structuredContent: { type: 'object', additionalProperties: true, description: 'The result of the tool.' },
    isError: { type: 'boolean', const: false },
    _meta: anything,
  },
};

const TOOL_CALL = {
  title: 'ToolCall',
  type: 'object',
  additionalProperties: false,
  properties: {
    name: { type: 'string', description: 'The name of a tool.' },
    tool: { type: 'string', description: 'Alias of name.' },
    arguments: { ...anything, description: 'The arguments of the tool.' },
    input: { ...anything, description: 'Alias of arguments.' },
  },
};

const OF_A_TOOL: readonly ErrorCode[] = [
  ...CALL_FAILURES,
  ...BODY_FAILURES,
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'UNKNOWN_TOOL',
  'UNKNOWN_SESSION',
  'CONFLICT',
];

const callTool = (route: Pick<RouteDescription, 'id' | 'path' | 'summary' | 'description' | 'body'>) =>
  ({
    ...route,
    method: 'POST',
    answers: { 200: { description: 'The result of the tool.', bodies: [{ schema: TOOL_RESULT }] } },
    failures: OF_A_TOOL,
    failureForm: 'plain',
  }) as const;

/** The routes of this transport, as OpenAPI shows them. */
export const ROUTES: readonly RouteDescription[] = [
  {
    id: 'jsonrpc.call',
    method: 'POST',
    path: '/api/v1/rpc',
    summary: 'JSON-RPC',
    description:
      'One JSON-RPC 2.0 object: initialize, tools/list, tools/call, ping or a notification. Failures of a call have the status 200 and an error in the response.',
    parameters: NARROWED,
    body: { required: true, schema: JSON_RPC_REQUEST },
    answers: {
      200: {
        description: 'The response.',
        bodies: [{ schema: { anyOf: [JSON_RPC_RESULT, JSON_RPC_FAILURE] } }],
      },
      202: { description: 'A notification was taken.' },
    },
    failures: [
      'UNAUTHENTICATED',
      'UNKNOWN_SESSION',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'RATE_LIMITED',
    ],
    failureForm: 'rpc',
  },
  {
    id: 'jsonrpc.initialize',
    method: 'POST',
    path: '/api/v1/initialize',
    summary: 'Open a session',
    description: 'The initialize of MCP, without JSON-RPC.',
    parameters: SELECTION_PARAMETERS,
    body: { required: false, schema: INITIALIZE },
    answers: { 200: { description: 'The session is open.', bodies: [{ schema: INITIALIZED }] } },
    failures: [...CALL_FAILURES, ...BODY_FAILURES],
    failureForm: 'plain',
  },
  {
    id: 'jsonrpc.list_tools',
    method: 'GET',
    path: '/api/v1/tools/list',
    summary: 'List tools',
    description: 'Every tool that the caller sees, sorted by name, in one page.',
    parameters: NARROWED,
    answers: { 200: { description: 'The tools.', bodies: [{ schema: TOOL_LIST }] } },
    failures: [...CALL_FAILURES, 'UNKNOWN_SESSION'],
    failureForm: 'plain',
  },
  {
    ...callTool({
      id: 'jsonrpc.call_tool',
      path: '/api/v1/tools/call',
      summary: 'Call a tool',
      description: 'Calls the tool named in the body.',
      body: { required: true, schema: TOOL_CALL },
    }),
    parameters: NARROWED,
  },
  {
    ...callTool({
      id: 'jsonrpc.call_named_tool',
      path: '/api/v1/tools/:name',
      summary: 'Call a tool by its path',
      description: 'Calls the tool named in the path; the body is its arguments.',
      body: { required: false, schema: anything },
    }),
    parameters: [{ name: 'name', in: 'path', description: 'The name of a tool.', schema: text }, ...NARROWED],
  },
  {
    id: 'jsonrpc.stream',
    method: 'GET',
    path: '/api/v1/stream',
    summary: 'Follow changes',
    description:
      'Server-sent events: first `stream.opened`, or `reset` where events after the last one have expired, then each change event that the caller may see.',
    parameters: [
      { name: 'workspace_id', in: 'query', description: 'Events of this workspace alone.', schema: text },
      {
        name: 'types',
        in: 'query',
        description: 'Only these types of event; repeated, or separated by commas.',
        schema: { type: 'array', maxItems: 100, items: text },
      },
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'The id of the last event that the reader has.',
        schema: text,
      },
    ],
    answers: {
      200: {
        description: 'Events until the reader leaves.',
        bodies: [{ type: 'text/event-stream', schema: text }],
      },
    },
    failures: [...CALL_FAILURES, 'PERMISSION_DENIED', 'NOT_FOUND'],
    failureForm: 'plain',
  },
];
