// Written by `npm run docs`: the types of the client that `service-mcp codegen` generates. Do not edit.

/** Arguments and results of every tool of the default deployment. */
export interface Tools {
  "ai_context": {
    input: { query: string; workspace_id?: string | undefined; project_id?: string | undefined; max_tokens?: number | undefined; include?: ('code' | 'docs' | 'graph')[] | undefined; include_tests?: boolean | undefined; max_sections?: number | undefined; format?: 'markdown' | 'xml' | 'json' | undefined; };
    output: { context: string; token_estimate: number; tokenizer: string; sections: { title: string; kind: 'code' | 'graph' | 'doc' | 'decision' | 'constraint' | 'lesson' | 'memory'; tokens: number; score: number; reason: string; path?: string | undefined; project_id?: string | undefined; id?: string | undefined; start_line?: number | undefined; end_line?: number | undefined; }[]; budget: { max: number; used: number; dropped: number; }; index: { state: string; generation: number; pending: number; }; took_ms: number; warnings: string[]; };
  };
  "ai_embeddings": {
    input: { input: string | string[]; workspace_id?: string | undefined; kind?: 'query' | 'passage' | undefined; };
    output: { model: string; space_id: string; dimensions: number; embeddings: number[][]; usage: { tokens: number; }; warnings: string[]; };
  };
  "ai_enhanced_context": {
    input: { query: string; workspace_id?: string | undefined; project_id?: string | undefined; max_tokens?: number | undefined; include?: ('code' | 'docs' | 'graph')[] | undefined; include_tests?: boolean | undefined; max_sections?: number | undefined; format?: 'markdown' | 'xml' | 'json' | undefined; include_memory?: boolean | undefined; session_id?: string | undefined; as_of?: string | undefined; };
    output: { context: string; token_estimate: number; tokenizer: string; sections: { title: string; kind: 'code' | 'graph' | 'doc' | 'decision' | 'constraint' | 'lesson' | 'memory'; tokens: number; score: number; reason: string; path?: string | undefined; project_id?: string | undefined; id?: string | undefined; start_line?: number | undefined; end_line?: number | undefined; }[]; budget: { max: number; used: number; dropped: number; }; index: { state: string; generation: number; pending: number; }; took_ms: number; warnings: string[]; };
  };
  "ai_generate_plan": {
    input: { requirements: string; workspace_id?: string | undefined; project_id?: string | undefined; constraints?: string[] | undefined; max_steps?: number | undefined; save?: boolean | undefined; };
    output: { plan: { title: string; summary: string; generator: 'model' | 'retrieval'; steps: { order: number; title: string; description: string; files: string[]; symbols: string[]; depends_on: number[]; risk: 'low' | 'medium' | 'high' | 'critical'; decisions: string[]; tests: string[]; effort: 'medium' | 'small' | 'large'; }[]; constraints: { text: string; records: string[]; }[]; open_questions: string[]; sources: { kind: string; title: string; reason: string; project_id?: string | undefined; path?: string | undefined; start_line?: number | undefined; end_line?: number | undefined; id?: string | undefined; }[]; id?: string | undefined; }; index: { state: string; generation: number; pending: number; }; took_ms: number; warnings: string[]; spent?: { day: { used: number; limit: number; }; month: { used: number; limit: number; }; } | undefined; };
  };
  "auth_create_account": {
    input: { email: string; name?: string | undefined; administrator?: boolean | undefined; };
    output: { account: { id: string; email: string; name: string; created_at: string; administrator: boolean; disabled: boolean; has_password: boolean; }; link: string; };
  };
  "auth_create_api_key": {
    input: { name: string; scopes?: string[] | undefined; workspace_id?: string | undefined; expires_at?: string | undefined; };
    output: { id: string; name: string; prefix: string; masked_key: string; scopes: string[]; workspace_id: string | null; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null; secret_key: string; };
  };
  "auth_delete_account": {
    input: { account_id: string; delete_workspaces?: boolean | undefined; };
    output: { id: string; deleted: true; };
  };
  "auth_disable_account": {
    input: { email: string; };
    output: { id: string; email: string; name: string; created_at: string; administrator: boolean; disabled: boolean; has_password: boolean; };
  };
  "auth_enable_account": {
    input: { email: string; };
    output: { id: string; email: string; name: string; created_at: string; administrator: boolean; disabled: boolean; has_password: boolean; };
  };
  "auth_invite": {
    input: { email: string; workspace_id?: string | undefined; role?: 'viewer' | 'member' | 'admin' | 'owner' | undefined; };
    output: { id: string; email: string; workspace_id: string | null; role: 'viewer' | 'member' | 'admin' | 'owner' | null; invited_by: string; created_at: string; expires_at: string; accepted_at: string | null; token: string; link: string; };
  };
  "auth_list_accounts": {
    input: { query?: string | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; email: string; name: string; created_at: string; administrator: boolean; disabled: boolean; has_password: boolean; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "auth_list_api_keys": {
    input: { page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; name: string; prefix: string; masked_key: string; scopes: string[]; workspace_id: string | null; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "auth_list_audit": {
    input: { workspace_id?: string | undefined; user_id?: string | undefined; action?: string | undefined; outcome?: 'INVALID_ARGUMENT' | 'PARSE_ERROR' | 'INVALID_REQUEST' | 'UNAUTHENTICATED' | 'PERMISSION_DENIED' | 'NOT_FOUND' | 'UNKNOWN_TOOL' | 'UNKNOWN_METHOD' | 'UNKNOWN_SESSION' | 'METHOD_NOT_ALLOWED' | 'CONFLICT' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'MISDIRECTED' | 'RATE_LIMITED' | 'RESOURCE_EXHAUSTED' | 'INTERNAL' | 'UNAVAILABLE' | 'DEADLINE_EXCEEDED' | 'OK' | undefined; since?: string | undefined; until?: string | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; at: string; user_id: string | null; credential_kind: string; credential_id: string | null; surface: string; peer: string | null; request_id: string; action: string; workspace_id: string | null; target: string | null; outcome: string; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "auth_list_connections": {
    input: { page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; name: string; created_at: string; last_used_at: string | null; current: boolean; scopes: string[]; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "auth_list_invitations": {
    input: { workspace_id?: string | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; email: string; workspace_id: string | null; role: 'viewer' | 'member' | 'admin' | 'owner' | null; invited_by: string; created_at: string; expires_at: string; accepted_at: string | null; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "auth_list_sessions": {
    input: { page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; name: string; created_at: string; last_used_at: string | null; current: boolean; expires_at: string; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "auth_login": {
    input: { email: string; password: string; };
    output: { user: { id: string; email: string; name: string; created_at: string; }; access_token: string; refresh_token: string; token_type: 'Bearer'; expires_in: number; };
  };
  "auth_logout": {
    input: { refresh_token?: string | undefined; };
    output: { revoked: true; };
  };
  "auth_me": {
    input: { [x: string]: never; };
    output: { id: string; email: string; name: string; created_at: string; workspaces: { id: string; name: string; role: 'viewer' | 'member' | 'admin' | 'owner'; }[]; credential: { kind: 'owner' | 'api_key' | 'session' | 'oauth' | 'jwt'; scopes: string[]; key_id?: string | undefined; workspace_id?: string | undefined; }; administrator?: true | undefined; };
  };
  "auth_password": {
    input: { new_password: string; current_password?: string | undefined; reset_token?: string | undefined; };
    output: { changed: true; };
  };
  "auth_refresh": {
    input: { refresh_token: string; };
    output: { access_token: string; refresh_token: string; token_type: 'Bearer'; expires_in: number; };
  };
  "auth_register": {
    input: { email: string; password: string; name?: string | undefined; invitation?: string | undefined; setup_token?: string | undefined; };
    output: { user: { id: string; email: string; name: string; created_at: string; }; access_token: string; refresh_token: string; token_type: 'Bearer'; expires_in: number; };
  };
  "auth_reset_account": {
    input: { email: string; };
    output: { account: { id: string; email: string; name: string; created_at: string; administrator: boolean; disabled: boolean; has_password: boolean; }; link: string; };
  };
  "auth_revoke_api_key": {
    input: { key_id: string; };
    output: { id: string; revoked: true; };
  };
  "auth_revoke_connection": {
    input: { connection_id: string; };
    output: { id: string; revoked: true; };
  };
  "auth_revoke_invitation": {
    input: { invitation_id: string; };
    output: { id: string; revoked: true; };
  };
  "auth_revoke_session": {
    input: { session_id: string; };
    output: { id: string; revoked: true; };
  };
  "auth_rotate_keys": {
    input: { [x: string]: never; };
    output: { generation: number; };
  };
  "auth_set_administrator": {
    input: { email: string; administrator: boolean; };
    output: { id: string; email: string; name: string; created_at: string; administrator: boolean; disabled: boolean; has_password: boolean; };
  };
  "auth_update_account": {
    input: { account_id: string; disabled?: boolean | undefined; administrator?: boolean | undefined; };
    output: { id: string; email: string; name: string; created_at: string; administrator: boolean; disabled: boolean; has_password: boolean; };
  };
  "context": {
    input: { query: string; workspace_id?: string | undefined; project_id?: string | undefined; mode?: 'fast' | 'standard' | 'pack' | undefined; max_tokens?: number | undefined; };
    output: { context: string; token_estimate: number; tokenizer: string; sections: { title: string; kind: 'code' | 'graph' | 'doc' | 'decision' | 'constraint' | 'lesson' | 'memory'; tokens: number; score: number; reason: string; path?: string | undefined; project_id?: string | undefined; id?: string | undefined; start_line?: number | undefined; end_line?: number | undefined; }[]; budget: { max: number; used: number; dropped: number; }; index: { state: string; generation: number; pending: number; }; took_ms: number; warnings: string[]; };
  };
  "deployment_get": {
    input: { [x: string]: never; };
    output: { server: string; version: string; accounts: boolean; read_only: boolean; plugins: { id: string; description: string; }[]; toolsets: { id: string; plugin: string; description: string; tools: string[]; list_bytes: number; }[]; views: { plugin: string; id: string; title: string; list: string; columns: string[]; actions: { tool: string; label: string; with: { [x: string]: unknown; }; unless?: string | undefined; own_label?: string | undefined; }[]; refresh_on: string[]; about?: string | undefined; icon?: 'application' | 'folder' | 'key' | 'list' | 'log' | 'login' | 'mail' | 'people' | 'person' | 'star' | 'workspace' | undefined; role?: 'viewer' | 'member' | 'admin' | 'owner' | undefined; administrators?: boolean | undefined; create?: string | undefined; remove?: { tool: string; label: string; with: { [x: string]: unknown; }; unless?: string | undefined; own_label?: string | undefined; } | undefined; }[]; events: { type: string; description: string; }[]; };
  };
  "deployment_usage": {
    input: { workspace_id?: string | undefined; since?: string | undefined; until?: string | undefined; granularity?: 'day' | 'hour' | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { start: string; tool: string; outcome: 'INVALID_ARGUMENT' | 'PARSE_ERROR' | 'INVALID_REQUEST' | 'UNAUTHENTICATED' | 'PERMISSION_DENIED' | 'NOT_FOUND' | 'UNKNOWN_TOOL' | 'UNKNOWN_METHOD' | 'UNKNOWN_SESSION' | 'METHOD_NOT_ALLOWED' | 'CONFLICT' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'MISDIRECTED' | 'RATE_LIMITED' | 'RESOURCE_EXHAUSTED' | 'INTERNAL' | 'UNAVAILABLE' | 'DEADLINE_EXCEEDED' | 'OK'; calls: number; p50_ms: number; p95_ms: number; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; periods: { start: string; calls: number; failed: number; p50_ms: number; p95_ms: number; }[]; };
  };
  "files_delete": {
    input: { project_id: string; paths: string[]; };
    output: { removed: number; };
  };
  "files_ingest": {
    input: { project_id: string; files: { path: string; content: string; language?: string | undefined; modified_at?: string | undefined; commit_sha?: string | undefined; }[]; delete_missing?: boolean | undefined; };
    output: { received: number; changed: number; unchanged: number; removed: number; rejected: { path: string; reason: string; }[]; redacted?: { path: string; rule: string; line: number; }[] | undefined; };
  };
  "files_list": {
    input: { project_id: string; path_prefix?: string | undefined; path_contains?: string | undefined; language?: string | undefined; indexing_status?: 'pending' | 'failed' | 'all' | 'indexed' | 'completed' | undefined; by_folder?: boolean | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { path: string; language: string | null; bytes: number; sha256: string; lines: number; indexing_status: 'pending' | 'failed' | 'indexed'; error: string | null; indexed_at: string | null; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; folders?: { path: string; files: number; pending: number; failed: number; }[] | undefined; };
  };
  "files_read": {
    input: { project_id: string; path: string; start_line?: number | undefined; start_column?: number | undefined; end_line?: number | undefined; };
    output: { path: string; language: string | null; content: string; start_line: number; end_line: number; total_lines: number; };
  };
  "graph_call_paths": {
    input: { project_id: string; from: { type: 'function' | 'type' | 'module' | 'variable'; id?: string | undefined; path?: string | undefined; name?: string | undefined; }; to?: { type: 'function' | 'type' | 'module' | 'variable'; id?: string | undefined; path?: string | undefined; name?: string | undefined; } | undefined; direction?: 'callees' | 'callers' | undefined; max_depth?: number | undefined; max_paths?: number | undefined; };
    output: { paths: { hops: { symbol: { id: string; name: string; qualified_name: string; kind: 'function' | 'type' | 'enum' | 'module' | 'variable' | 'method' | 'class' | 'interface' | 'heading'; path: string; start_line: number; end_line: number; signature: string; }; call_site?: { path: string; line: number; snippet: string; confidence: number; } | undefined; }[]; length: number; confidence: number; }[]; shortest_path_length: number | null; unresolved_count: number; truncated: boolean; index: { state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; generation: number; pending: number; }; warnings: string[]; furthest?: { symbol: { id: string; name: string; qualified_name: string; kind: 'function' | 'type' | 'enum' | 'module' | 'variable' | 'method' | 'class' | 'interface' | 'heading'; path: string; start_line: number; end_line: number; signature: string; }; depth: number; reached: number; } | undefined; };
  };
  "graph_cycles": {
    input: { project_id: string; level?: 'function' | 'module' | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { level: 'function' | 'module'; size: number; members: string[]; cycle: { id: string; via: { kind: 'calls' | 'imports' | 'references' | 'extends' | 'implements' | 'contains'; path: string; line: number; confidence: number; reason: 'type' | 'import' | 'scope' | 'flow' | 'hierarchy' | 'unique_name'; }; }[]; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; index: { state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; generation: number; pending: number; }; warnings: string[]; };
  };
  "graph_dependencies": {
    input: { project_id: string; target: { type: 'function' | 'type' | 'module' | 'variable'; id?: string | undefined; path?: string | undefined; name?: string | undefined; }; direction?: 'in' | 'out' | 'both' | undefined; max_depth?: number | undefined; include_transitive?: boolean | undefined; kinds?: ('calls' | 'imports' | 'references' | 'extends' | 'implements' | 'contains')[] | undefined; min_confidence?: number | undefined; limit?: number | undefined; format?: 'json' | 'mermaid' | 'dot' | undefined; };
    output: { target: { id: string; name: string; qualified_name: string; kind: 'function' | 'type' | 'enum' | 'module' | 'variable' | 'method' | 'class' | 'interface' | 'heading'; path: string; start_line: number; end_line: number; signature: string; }; dependencies: { symbol: { id: string; name: string; qualified_name: string; kind: 'function' | 'type' | 'enum' | 'module' | 'variable' | 'method' | 'class' | 'interface' | 'heading'; path: string; start_line: number; end_line: number; signature: string; }; depth: number; area: string; confidence: number; via: { kind: 'calls' | 'imports' | 'references' | 'extends' | 'implements' | 'contains'; path: string; line: number; confidence: number; reason: 'type' | 'import' | 'scope' | 'flow' | 'hierarchy' | 'unique_name'; }[]; }[]; dependents: { symbol: { id: string; name: string; qualified_name: string; kind: 'function' | 'type' | 'enum' | 'module' | 'variable' | 'method' | 'class' | 'interface' | 'heading'; path: string; start_line: number; end_line: number; signature: string; }; depth: number; area: string; confidence: number; via: { kind: 'calls' | 'imports' | 'references' | 'extends' | 'implements' | 'contains'; path: string; line: number; confidence: number; reason: 'type' | 'import' | 'scope' | 'flow' | 'hierarchy' | 'unique_name'; }[]; }[]; cycles: string[][]; external: { name: string; version?: string | undefined; }[]; totals: { dependencies: number; dependents: number; external: number; by_depth: Record<string, number>; by_area: Record<string, number>; }; unresolved_count: number; truncated: boolean; index: { state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; generation: number; pending: number; }; warnings: string[]; mermaid?: string | undefined; dot?: string | undefined; };
  };
  "graph_impact_analysis": {
    input: { project_id: string; target: { type: 'function' | 'type' | 'module' | 'variable'; id?: string | undefined; path?: string | undefined; name?: string | undefined; }; change_type?: 'modify_signature' | 'modify_body' | 'rename' | 'delete' | undefined; max_depth?: number | undefined; limit?: number | undefined; };
    output: { target: { id: string; name: string; qualified_name: string; kind: 'function' | 'type' | 'enum' | 'module' | 'variable' | 'method' | 'class' | 'interface' | 'heading'; path: string; start_line: number; end_line: number; signature: string; }; risk_level: 'low' | 'medium' | 'high' | 'critical'; reasons: string[]; affected: { symbol: { id: string; name: string; qualified_name: string; kind: 'function' | 'type' | 'enum' | 'module' | 'variable' | 'method' | 'class' | 'interface' | 'heading'; path: string; start_line: number; end_line: number; signature: string; }; depth: number; area: string; confidence: number; via: { kind: 'calls' | 'imports' | 'references' | 'extends' | 'implements' | 'contains'; path: string; line: number; confidence: number; reason: 'type' | 'import' | 'scope' | 'flow' | 'hierarchy' | 'unique_name'; snippet: string; }[]; }[]; affected_modules: string[]; affected_tests: { id: string; name: string; qualified_name: string; kind: 'function' | 'type' | 'enum' | 'module' | 'variable' | 'method' | 'class' | 'interface' | 'heading'; path: string; start_line: number; end_line: number; signature: string; }[]; overriding_methods: { id: string; name: string; qualified_name: string; kind: 'function' | 'type' | 'enum' | 'module' | 'variable' | 'method' | 'class' | 'interface' | 'heading'; path: string; start_line: number; end_line: number; signature: string; }[]; related_decisions: { id: string; kind: 'event' | 'node'; title: string; summary: string; status: string; decided_at: string; }[]; totals: { affected: number; modules: number; tests: number; by_depth: Record<string, number>; by_area: Record<string, number>; }; unresolved_count: number; truncated: boolean; index: { state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; generation: number; pending: number; }; warnings: string[]; };
  };
  "graph_link_knowledge": {
    input: { source_node_id: string; target_node_id: string; relation_type: 'depends_on' | 'implements' | 'influences' | 'supersedes' | 'related_to' | 'contradicts'; workspace_id?: string | undefined; weight?: number | undefined; context?: string | undefined; };
    output: { id: string; workspace_id: string; source_node_id: string; target_node_id: string; relation_type: 'depends_on' | 'implements' | 'influences' | 'supersedes' | 'related_to' | 'contradicts'; weight: number; context: string | null; created_at: string; created_by: string; };
  };
  "graph_list_links": {
    input: { node_id: string; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; workspace_id: string; source_node_id: string; target_node_id: string; relation_type: 'depends_on' | 'implements' | 'influences' | 'supersedes' | 'related_to' | 'contradicts'; weight: number; context: string | null; created_at: string; created_by: string; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "graph_overview": {
    input: { project_id: string; level?: 'module' | 'area' | undefined; path_prefix?: string | undefined; limit?: number | undefined; };
    output: { nodes: { id: string; path: string; area: string; symbols: number; files: number; x: number; y: number; }[]; edges: { source: string; target: string; kind: 'calls' | 'imports' | 'references' | 'extends' | 'implements' | 'contains'; count: number; }[]; totals: { nodes: number; edges: number; files: number; symbols: number; }; truncated: boolean; index: { state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; generation: number; pending: number; }; warnings: string[]; };
  };
  "graph_related_knowledge": {
    input: { node_id: string; relation_types?: ('depends_on' | 'implements' | 'influences' | 'supersedes' | 'related_to' | 'contradicts')[] | undefined; max_depth?: number | undefined; include_semantic?: boolean | undefined; limit?: number | undefined; };
    output: { nodes: { id: string; kind: 'node'; type: string; title: string; status: string; depth: number; score: number; }[]; edges: { source: string; target: string; relation_type: 'depends_on' | 'implements' | 'influences' | 'supersedes' | 'related_to' | 'contradicts'; weight: number; origin: 'code' | 'explicit' | 'semantic'; }[]; total: number; truncated: boolean; };
  };
  "graph_symbols": {
    input: { project_id: string; query?: string | undefined; path?: string | undefined; kind?: 'function' | 'type' | 'enum' | 'module' | 'variable' | 'method' | 'class' | 'interface' | 'heading' | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; name: string; qualified_name: string; kind: 'function' | 'type' | 'enum' | 'module' | 'variable' | 'method' | 'class' | 'interface' | 'heading'; path: string; start_line: number; end_line: number; signature: string; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; index: { state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; generation: number; pending: number; }; warnings: string[]; };
  };
  "graph_unlink_knowledge": {
    input: { edge_id: string; };
    output: { id: string; deleted: true; };
  };
  "graph_unused": {
    input: { project_id: string; path_prefix?: string | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; name: string; qualified_name: string; kind: 'function' | 'type' | 'enum' | 'module' | 'variable' | 'method' | 'class' | 'interface' | 'heading'; path: string; start_line: number; end_line: number; signature: string; reason: string; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; uncertain: number; index: { state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; generation: number; pending: number; }; warnings: string[]; };
  };
  "help": {
    input: { action?: 'version' | 'toolsets' | 'tools' | 'errors' | undefined; };
    output: { server: string; version: string; tools?: { name: string; title: string; effect: string; }[] | undefined; toolsets?: { id: string; description: string; tools: string[]; }[] | undefined; errors?: { code: string; http: number; rpc: number; }[] | undefined; };
  };
  "init": {
    input: { workspace_id?: string | undefined; repository?: string | undefined; };
    output: { workspaces: { id: string; name: string; role: string; index: { state: string; generation: number; pending: number; }; projects: { id: string; name: string; }[]; recent_decisions: { id: string; title: string; }[]; open_tasks: { id: string; title: string; }[]; }[]; total: number; current: { workspace_id: string; project_id: string | null; } | null; guide: { tool: string; use: string; }[]; };
  };
  "members_accept": {
    input: { membership_id: string; };
    output: { id: string; workspace_id: string; user_id: string | null; email: string; name: string; role: 'viewer' | 'member' | 'admin' | 'owner'; status: 'pending' | 'accepted'; created_at: string; };
  };
  "members_add": {
    input: { workspace_id: string; email: string; role: 'viewer' | 'member' | 'admin' | 'owner'; };
    output: { id: string; workspace_id: string; user_id: string | null; email: string; name: string; role: 'viewer' | 'member' | 'admin' | 'owner'; status: 'pending' | 'accepted'; created_at: string; };
  };
  "members_decline": {
    input: { membership_id: string; };
    output: { id: string; deleted: true; };
  };
  "members_get": {
    input: { user_id: string; workspace_id?: string | undefined; };
    output: { id: string; workspace_id: string; user_id: string | null; email: string; name: string; role: 'viewer' | 'member' | 'admin' | 'owner'; status: 'pending' | 'accepted'; created_at: string; };
  };
  "members_list": {
    input: { workspace_id?: string | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; workspace_id: string; user_id: string | null; email: string; name: string; role: 'viewer' | 'member' | 'admin' | 'owner'; status: 'pending' | 'accepted'; created_at: string; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "members_list_invitations": {
    input: { page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; workspace: { id: string; name: string; }; role: 'viewer' | 'member' | 'admin' | 'owner'; invited_by: string; created_at: string; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "members_remove": {
    input: { workspace_id: string; user_id: string; };
    output: { id: string; deleted: true; };
  };
  "members_update": {
    input: { workspace_id: string; user_id: string; role: 'viewer' | 'member' | 'admin' | 'owner'; };
    output: { id: string; workspace_id: string; user_id: string | null; email: string; name: string; role: 'viewer' | 'member' | 'admin' | 'owner'; status: 'pending' | 'accepted'; created_at: string; };
  };
  "memory_create_event": {
    input: { event_type: string; title: string; content: string; workspace_id?: string | undefined; project_id?: string | undefined; session_id?: string | undefined; importance?: 'low' | 'medium' | 'high' | 'critical' | undefined; tags?: string[] | undefined; metadata?: { [x: string]: unknown; } | undefined; provenance?: { repo?: string | undefined; branch?: string | undefined; commit_sha?: string | undefined; pr_url?: string | undefined; issue_url?: string | undefined; } | undefined; code_refs?: { path: string; symbol?: string | undefined; }[] | undefined; occurred_at?: string | undefined; on_duplicate?: 'keep' | 'merge' | 'reject' | undefined; };
    output: { id: string; workspace_id: string; created_at: string; updated_at: string; indexing_status: 'pending' | 'failed' | 'indexed'; indexing_error: string | null; project_id: string | null; session_id: string | null; event_type: string; title: string; content: string; importance: 'low' | 'medium' | 'high' | 'critical'; tags: string[]; metadata: { [x: string]: unknown; }; provenance: { repo?: string | undefined; branch?: string | undefined; commit_sha?: string | undefined; pr_url?: string | undefined; issue_url?: string | undefined; }; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; occurred_at: string; created_by: string; duplicates: { id: string; similarity: number; }[]; redacted?: { field: string; rule: string; }[] | undefined; };
  };
  "memory_create_node": {
    input: { node_type: 'decision' | 'constraint' | 'lesson' | 'risk' | 'fact' | 'preference' | 'habit' | 'goal' | 'term'; title: string; content: string; workspace_id?: string | undefined; project_id?: string | undefined; tags?: string[] | undefined; metadata?: { [x: string]: unknown; } | undefined; confidence?: number | undefined; status?: 'active' | 'disputed' | 'verified' | undefined; valid_from?: string | undefined; valid_to?: string | undefined; code_refs?: { path: string; symbol?: string | undefined; }[] | undefined; relations?: { relation_type: 'depends_on' | 'implements' | 'influences' | 'supersedes' | 'related_to' | 'contradicts'; target_id: string; weight?: number | undefined; }[] | undefined; on_duplicate?: 'keep' | 'merge' | 'reject' | undefined; };
    output: { id: string; workspace_id: string; created_at: string; updated_at: string; indexing_status: 'pending' | 'failed' | 'indexed'; indexing_error: string | null; project_id: string | null; node_type: 'decision' | 'constraint' | 'lesson' | 'risk' | 'fact' | 'preference' | 'habit' | 'goal' | 'term'; title: string; content: string; tags: string[]; metadata: { [x: string]: unknown; }; confidence: number; status: 'active' | 'disputed' | 'verified' | 'superseded'; valid_from: string; valid_to: string | null; supersedes: string | null; superseded_by: string | null; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; created_by: string; duplicates: { id: string; similarity: number; }[]; contradictions: { id: string; title: string; }[]; redacted?: { field: string; rule: string; }[] | undefined; };
  };
  "memory_decisions": {
    input: { workspace_id?: string | undefined; query?: string | undefined; project_id?: string | undefined; status?: 'active' | 'disputed' | 'verified' | 'superseded' | undefined; as_of?: string | undefined; since?: string | undefined; until?: string | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; kind: 'event' | 'node'; title: string; summary: string; rationale: string; status: 'active' | 'disputed' | 'verified' | 'superseded'; decided_at: string; superseded_by: string | null; perhaps_replaced_by: string | null; related: { id: string; relation_type: string; }[]; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; superseded?: number | undefined; index?: { state: string; generation: number; pending: number; } | undefined; };
  };
  "memory_delete_event": {
    input: { event_id: string; };
    output: { id: string; deleted: true; };
  };
  "memory_delete_many": {
    input: { ids: string[]; workspace_id?: string | undefined; };
    output: { change_id: string; deleted: number; };
  };
  "memory_delete_node": {
    input: { node_id: string; };
    output: { id: string; deleted: true; };
  };
  "memory_export": {
    input: { workspace_id?: string | undefined; };
    output: { record: 'end'; events: number; nodes: number; versions: number; edges: number; };
  };
  "memory_facets": {
    input: { workspace_id?: string | undefined; };
    output: { event_types: { value: string; count: number; }[]; node_types: { value: string; count: number; }[]; tags: { value: string; count: number; }[]; sessions: { value: string; count: number; }[]; projects: { value: string; count: number; }[]; };
  };
  "memory_get_event": {
    input: { event_id: string; content_from?: number | undefined; };
    output: { id: string; workspace_id: string; created_at: string; updated_at: string; indexing_status: 'pending' | 'failed' | 'indexed'; indexing_error: string | null; project_id: string | null; session_id: string | null; event_type: string; title: string; content: string; importance: 'low' | 'medium' | 'high' | 'critical'; tags: string[]; metadata: { [x: string]: unknown; }; provenance: { repo?: string | undefined; branch?: string | undefined; commit_sha?: string | undefined; pr_url?: string | undefined; issue_url?: string | undefined; }; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; occurred_at: string; created_by: string; };
  };
  "memory_get_node": {
    input: { node_id: string; as_of?: string | undefined; content_from?: number | undefined; };
    output: { id: string; workspace_id: string; created_at: string; updated_at: string; indexing_status: 'pending' | 'failed' | 'indexed'; indexing_error: string | null; project_id: string | null; node_type: 'decision' | 'constraint' | 'lesson' | 'risk' | 'fact' | 'preference' | 'habit' | 'goal' | 'term'; title: string; content: string; tags: string[]; metadata: { [x: string]: unknown; }; confidence: number; status: 'active' | 'disputed' | 'verified' | 'superseded'; valid_from: string; valid_to: string | null; supersedes: string | null; superseded_by: string | null; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; created_by: string; };
  };
  "memory_hygiene": {
    input: { workspace_id?: string | undefined; kind?: 'duplicate' | 'contradiction' | 'junk' | 'stale' | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { kind: 'duplicate' | 'contradiction' | 'junk' | 'stale'; record_kind: 'event' | 'node'; ids: string[]; titles: string[]; reason: string; suggestion: string; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; counts: { duplicate: number; contradiction: number; junk: number; stale: number; }; unchecked: number; };
  };
  "memory_import": {
    input: { workspace_id?: string | undefined; format?: 'native' | 'mcp-memory' | 'mem0' | 'basic-memory' | undefined; project_id?: string | undefined; };
    output: { imported: number; skipped: number; failed: number; redacted: number; errors: { line: number; message: string; }[]; };
  };
  "memory_keep_apart": {
    input: { ids: string[]; workspace_id?: string | undefined; };
    output: { change_id: string; kept_apart: string[]; };
  };
  "memory_list_events": {
    input: { workspace_id?: string | undefined; event_type?: string | undefined; tags?: string[] | undefined; project_id?: string | undefined; session_id?: string | undefined; since?: string | undefined; until?: string | undefined; indexing_status?: 'pending' | 'failed' | 'all' | 'indexed' | 'completed' | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; workspace_id: string; created_at: string; updated_at: string; indexing_status: 'pending' | 'failed' | 'indexed'; indexing_error: string | null; project_id: string | null; session_id: string | null; event_type: string; title: string; content: string; importance: 'low' | 'medium' | 'high' | 'critical'; tags: string[]; metadata: { [x: string]: unknown; }; provenance: { repo?: string | undefined; branch?: string | undefined; commit_sha?: string | undefined; pr_url?: string | undefined; issue_url?: string | undefined; }; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; occurred_at: string; created_by: string; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "memory_list_nodes": {
    input: { workspace_id?: string | undefined; node_type?: 'decision' | 'constraint' | 'lesson' | 'risk' | 'fact' | 'preference' | 'habit' | 'goal' | 'term' | undefined; status?: 'active' | 'disputed' | 'verified' | 'superseded' | undefined; tags?: string[] | undefined; project_id?: string | undefined; since?: string | undefined; until?: string | undefined; as_of?: string | undefined; indexing_status?: 'pending' | 'failed' | 'all' | 'indexed' | 'completed' | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; workspace_id: string; created_at: string; updated_at: string; indexing_status: 'pending' | 'failed' | 'indexed'; indexing_error: string | null; project_id: string | null; node_type: 'decision' | 'constraint' | 'lesson' | 'risk' | 'fact' | 'preference' | 'habit' | 'goal' | 'term'; title: string; content: string; tags: string[]; metadata: { [x: string]: unknown; }; confidence: number; status: 'active' | 'disputed' | 'verified' | 'superseded'; valid_from: string; valid_to: string | null; supersedes: string | null; superseded_by: string | null; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; created_by: string; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "memory_merge": {
    input: { ids: string[]; keep: string; };
    output: { change_id: string; kept: string; merged: string[]; };
  };
  "memory_node_history": {
    input: { node_id: string; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { version: number; recorded_at: string; recorded_by: string; reason: string | null; node: { id: string; workspace_id: string; created_at: string; updated_at: string; indexing_status: 'pending' | 'failed' | 'indexed'; indexing_error: string | null; project_id: string | null; node_type: 'decision' | 'constraint' | 'lesson' | 'risk' | 'fact' | 'preference' | 'habit' | 'goal' | 'term'; title: string; content: string; tags: string[]; metadata: { [x: string]: unknown; }; confidence: number; status: 'active' | 'disputed' | 'verified' | 'superseded'; valid_from: string; valid_to: string | null; supersedes: string | null; superseded_by: string | null; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; created_by: string; }; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "memory_search": {
    input: { query: string; workspace_id?: string | undefined; project_id?: string | undefined; kinds?: ('event' | 'node')[] | undefined; event_types?: string[] | undefined; node_types?: ('decision' | 'constraint' | 'lesson' | 'risk' | 'fact' | 'preference' | 'habit' | 'goal' | 'term')[] | undefined; as_of?: string | undefined; limit?: number | undefined; min_score?: number | undefined; content_max_chars?: number | undefined; include_superseded?: boolean | undefined; by_recency?: boolean | undefined; };
    output: { results: { kind: 'event' | 'node'; id: string; type: string; title: string; content: string; truncated: boolean; score: number; scores: { semantic?: number | undefined; keyword?: number | undefined; fused?: number | undefined; }; highlights: { start: number; end: number; line: number; column: number; }[]; occurred_at: string; status: string | null; validity: 'current' | 'past' | 'future' | null; perhaps_replaced_by: string | null; }[]; total: number; took_ms: number; index: { state: string; generation: number; pending: number; }; warnings: string[]; };
  };
  "memory_set_node_status": {
    input: { node_id: string; status: 'active' | 'disputed' | 'verified'; reason?: string | undefined; };
    output: { id: string; workspace_id: string; created_at: string; updated_at: string; indexing_status: 'pending' | 'failed' | 'indexed'; indexing_error: string | null; project_id: string | null; node_type: 'decision' | 'constraint' | 'lesson' | 'risk' | 'fact' | 'preference' | 'habit' | 'goal' | 'term'; title: string; content: string; tags: string[]; metadata: { [x: string]: unknown; }; confidence: number; status: 'active' | 'disputed' | 'verified' | 'superseded'; valid_from: string; valid_to: string | null; supersedes: string | null; superseded_by: string | null; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; created_by: string; redacted?: { field: string; rule: string; }[] | undefined; };
  };
  "memory_supersede_node": {
    input: { node_id: string; superseded_by?: string | undefined; title?: string | undefined; content?: string | undefined; valid_from?: string | undefined; reason?: string | undefined; };
    output: { old: { id: string; workspace_id: string; created_at: string; updated_at: string; indexing_status: 'pending' | 'failed' | 'indexed'; indexing_error: string | null; project_id: string | null; node_type: 'decision' | 'constraint' | 'lesson' | 'risk' | 'fact' | 'preference' | 'habit' | 'goal' | 'term'; title: string; content: string; tags: string[]; metadata: { [x: string]: unknown; }; confidence: number; status: 'active' | 'disputed' | 'verified' | 'superseded'; valid_from: string; valid_to: string | null; supersedes: string | null; superseded_by: string | null; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; created_by: string; }; new: { id: string; workspace_id: string; created_at: string; updated_at: string; indexing_status: 'pending' | 'failed' | 'indexed'; indexing_error: string | null; project_id: string | null; node_type: 'decision' | 'constraint' | 'lesson' | 'risk' | 'fact' | 'preference' | 'habit' | 'goal' | 'term'; title: string; content: string; tags: string[]; metadata: { [x: string]: unknown; }; confidence: number; status: 'active' | 'disputed' | 'verified' | 'superseded'; valid_from: string; valid_to: string | null; supersedes: string | null; superseded_by: string | null; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; created_by: string; }; redacted?: { field: string; rule: string; }[] | undefined; };
  };
  "memory_timeline": {
    input: { workspace_id?: string | undefined; since?: string | undefined; until?: string | undefined; granularity?: 'day' | 'month' | 'week' | undefined; types?: string[] | undefined; around?: string | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { occurred_at: string; kind: 'event' | 'node'; type: string; id: string; title: string; summary: string; links: { relation: string; id: string; }[]; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; granularity: 'day' | 'month' | 'week'; buckets: { start: string; count: number; by_type: Record<string, number>; }[]; };
  };
  "memory_undo": {
    input: { change_id: string; };
    output: { change_id: string; restored: string[]; left: string[]; };
  };
  "memory_update_event": {
    input: { event_id: string; event_type?: string | undefined; title?: string | undefined; content?: string | undefined; session_id?: string | undefined; importance?: 'low' | 'medium' | 'high' | 'critical' | undefined; tags?: string[] | undefined; metadata?: { [x: string]: unknown; } | undefined; provenance?: { repo?: string | undefined; branch?: string | undefined; commit_sha?: string | undefined; pr_url?: string | undefined; issue_url?: string | undefined; } | undefined; code_refs?: { path: string; symbol?: string | undefined; }[] | undefined; occurred_at?: string | undefined; if_updated_at?: string | undefined; };
    output: { id: string; workspace_id: string; created_at: string; updated_at: string; indexing_status: 'pending' | 'failed' | 'indexed'; indexing_error: string | null; project_id: string | null; session_id: string | null; event_type: string; title: string; content: string; importance: 'low' | 'medium' | 'high' | 'critical'; tags: string[]; metadata: { [x: string]: unknown; }; provenance: { repo?: string | undefined; branch?: string | undefined; commit_sha?: string | undefined; pr_url?: string | undefined; issue_url?: string | undefined; }; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; occurred_at: string; created_by: string; redacted?: { field: string; rule: string; }[] | undefined; };
  };
  "memory_update_node": {
    input: { node_id: string; node_type?: 'decision' | 'constraint' | 'lesson' | 'risk' | 'fact' | 'preference' | 'habit' | 'goal' | 'term' | undefined; title?: string | undefined; content?: string | undefined; tags?: string[] | undefined; metadata?: { [x: string]: unknown; } | undefined; confidence?: number | undefined; valid_from?: string | undefined; valid_to?: string | undefined; code_refs?: { path: string; symbol?: string | undefined; }[] | undefined; if_updated_at?: string | undefined; };
    output: { id: string; workspace_id: string; created_at: string; updated_at: string; indexing_status: 'pending' | 'failed' | 'indexed'; indexing_error: string | null; project_id: string | null; node_type: 'decision' | 'constraint' | 'lesson' | 'risk' | 'fact' | 'preference' | 'habit' | 'goal' | 'term'; title: string; content: string; tags: string[]; metadata: { [x: string]: unknown; }; confidence: number; status: 'active' | 'disputed' | 'verified' | 'superseded'; valid_from: string; valid_to: string | null; supersedes: string | null; superseded_by: string | null; code_refs: { path: string; symbol?: string | undefined; missing?: true | undefined; }[]; created_by: string; redacted?: { field: string; rule: string; }[] | undefined; };
  };
  "projects_create": {
    input: { name: string; workspace_id?: string | undefined; description?: string | undefined; repository_url?: string | undefined; };
    output: { id: string; workspace_id: string; name: string; description: string; repository_url: string | null; created_at: string; updated_at: string; file_count: number; indexed_at: string | null; indexing_status: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; redacted?: { field: string; rule: string; }[] | undefined; };
  };
  "projects_delete": {
    input: { project_id: string; };
    output: { id: string; deleted: true; };
  };
  "projects_get": {
    input: { project_id: string; };
    output: { id: string; workspace_id: string; name: string; description: string; repository_url: string | null; created_at: string; updated_at: string; file_count: number; indexed_at: string | null; indexing_status: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; };
  };
  "projects_index_status": {
    input: { project_id: string; by_step?: boolean | undefined; };
    output: { state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; pending: number; indexed: number; failed: number; indexed_at: string | null; generation: number; waiting_for?: Record<string, number> | undefined; };
  };
  "projects_list": {
    input: { workspace_id?: string | undefined; page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; workspace_id: string; name: string; description: string; repository_url: string | null; created_at: string; updated_at: string; file_count: number; indexed_at: string | null; indexing_status: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "projects_retry_index": {
    input: { project_id: string; paths?: string[] | undefined; };
    output: { queued: number; };
  };
  "projects_update": {
    input: { project_id: string; name?: string | undefined; description?: string | undefined; repository_url?: string | undefined; };
    output: { id: string; workspace_id: string; name: string; description: string; repository_url: string | null; created_at: string; updated_at: string; file_count: number; indexed_at: string | null; indexing_status: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; redacted?: { field: string; rule: string; }[] | undefined; };
  };
  "search_hybrid": {
    input: { query: string; workspace_id?: string | undefined; project_id?: string | undefined; limit?: number | undefined; offset?: number | undefined; filters?: { languages?: string[] | undefined; path_prefix?: string | undefined; path_glob?: string | undefined; kinds?: string[] | undefined; tags?: string[] | undefined; modified_after?: string | undefined; modified_before?: string | undefined; } | undefined; context_lines?: number | undefined; content_max_chars?: number | undefined; output_format?: 'paths' | 'count' | 'full' | undefined; min_score?: number | undefined; facets?: ('kinds' | 'projects' | 'languages' | 'directories')[] | undefined; };
    output: { mode: string; results: { id: string; kind: string; project_id: string | null; path: string; language: string | null; start_line: number; end_line: number; title: string; content: string; truncated: boolean; score: number; scores: { semantic?: number | undefined; keyword?: number | undefined; fused?: number | undefined; }; highlights: { start: number; end: number; line: number; column: number; }[]; updated_at: string; stale: boolean; symbol?: string | undefined; standing?: string | undefined; }[]; total: number; total_is_lower_bound: boolean; took_ms: number; has_more: boolean; index: { state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; generation: number; pending: number; }; warnings: string[]; facets?: { languages?: { value: string; count: number; }[] | undefined; kinds?: { value: string; count: number; }[] | undefined; directories?: { value: string; count: number; }[] | undefined; projects?: { value: string; count: number; }[] | undefined; } | undefined; };
  };
  "search_keyword": {
    input: { query: string; workspace_id?: string | undefined; project_id?: string | undefined; limit?: number | undefined; offset?: number | undefined; filters?: { languages?: string[] | undefined; path_prefix?: string | undefined; path_glob?: string | undefined; kinds?: string[] | undefined; tags?: string[] | undefined; modified_after?: string | undefined; modified_before?: string | undefined; } | undefined; context_lines?: number | undefined; content_max_chars?: number | undefined; output_format?: 'paths' | 'count' | 'full' | undefined; min_score?: number | undefined; facets?: ('kinds' | 'projects' | 'languages' | 'directories')[] | undefined; };
    output: { mode: string; results: { id: string; kind: string; project_id: string | null; path: string; language: string | null; start_line: number; end_line: number; title: string; content: string; truncated: boolean; score: number; scores: { semantic?: number | undefined; keyword?: number | undefined; fused?: number | undefined; }; highlights: { start: number; end: number; line: number; column: number; }[]; updated_at: string; stale: boolean; symbol?: string | undefined; standing?: string | undefined; }[]; total: number; total_is_lower_bound: boolean; took_ms: number; has_more: boolean; index: { state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; generation: number; pending: number; }; warnings: string[]; facets?: { languages?: { value: string; count: number; }[] | undefined; kinds?: { value: string; count: number; }[] | undefined; directories?: { value: string; count: number; }[] | undefined; projects?: { value: string; count: number; }[] | undefined; } | undefined; };
  };
  "search_pattern": {
    input: { query: string; workspace_id?: string | undefined; project_id?: string | undefined; limit?: number | undefined; offset?: number | undefined; filters?: { languages?: string[] | undefined; path_prefix?: string | undefined; path_glob?: string | undefined; kinds?: string[] | undefined; tags?: string[] | undefined; modified_after?: string | undefined; modified_before?: string | undefined; } | undefined; context_lines?: number | undefined; content_max_chars?: number | undefined; output_format?: 'paths' | 'count' | 'full' | undefined; min_score?: number | undefined; facets?: ('kinds' | 'projects' | 'languages' | 'directories')[] | undefined; case_sensitive?: boolean | undefined; multiline?: boolean | undefined; whole_word?: boolean | undefined; };
    output: { mode: string; results: { id: string; kind: string; project_id: string | null; path: string; language: string | null; start_line: number; end_line: number; title: string; content: string; truncated: boolean; score: number; scores: { semantic?: number | undefined; keyword?: number | undefined; fused?: number | undefined; }; highlights: { start: number; end: number; line: number; column: number; }[]; updated_at: string; stale: boolean; symbol?: string | undefined; standing?: string | undefined; }[]; total: number; total_is_lower_bound: boolean; took_ms: number; has_more: boolean; index: { state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; generation: number; pending: number; }; warnings: string[]; facets?: { languages?: { value: string; count: number; }[] | undefined; kinds?: { value: string; count: number; }[] | undefined; directories?: { value: string; count: number; }[] | undefined; projects?: { value: string; count: number; }[] | undefined; } | undefined; };
  };
  "search_semantic": {
    input: { query: string; workspace_id?: string | undefined; project_id?: string | undefined; limit?: number | undefined; offset?: number | undefined; filters?: { languages?: string[] | undefined; path_prefix?: string | undefined; path_glob?: string | undefined; kinds?: string[] | undefined; tags?: string[] | undefined; modified_after?: string | undefined; modified_before?: string | undefined; } | undefined; context_lines?: number | undefined; content_max_chars?: number | undefined; output_format?: 'paths' | 'count' | 'full' | undefined; min_score?: number | undefined; facets?: ('kinds' | 'projects' | 'languages' | 'directories')[] | undefined; };
    output: { mode: string; results: { id: string; kind: string; project_id: string | null; path: string; language: string | null; start_line: number; end_line: number; title: string; content: string; truncated: boolean; score: number; scores: { semantic?: number | undefined; keyword?: number | undefined; fused?: number | undefined; }; highlights: { start: number; end: number; line: number; column: number; }[]; updated_at: string; stale: boolean; symbol?: string | undefined; standing?: string | undefined; }[]; total: number; total_is_lower_bound: boolean; took_ms: number; has_more: boolean; index: { state: 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded'; generation: number; pending: number; }; warnings: string[]; facets?: { languages?: { value: string; count: number; }[] | undefined; kinds?: { value: string; count: number; }[] | undefined; directories?: { value: string; count: number; }[] | undefined; projects?: { value: string; count: number; }[] | undefined; } | undefined; };
  };
  "tools_call_read": {
    input: { name: string; arguments?: { [x: string]: unknown; } | undefined; };
    output: { result: { [x: string]: unknown; }; };
  };
  "tools_call_write": {
    input: { name: string; arguments?: { [x: string]: unknown; } | undefined; };
    output: { result: { [x: string]: unknown; }; };
  };
  "tools_describe": {
    input: { names: string[]; };
    output: { tools: { name: string; title: string; description: string; effect: 'create' | 'delete' | 'read' | 'update' | 'write'; call_with: 'tools_call_read' | 'tools_call_write'; input_schema: { [x: string]: unknown; }; output_schema: { [x: string]: unknown; }; }[]; unknown: string[]; };
  };
  "tools_search": {
    input: { query: string; limit?: number | undefined; };
    output: { tools: { name: string; title: string; description: string; effect: 'create' | 'delete' | 'read' | 'update' | 'write'; }[]; total: number; hint?: string | undefined; };
  };
  "workspaces_create": {
    input: { name: string; description?: string | undefined; };
    output: { id: string; name: string; description: string; created_at: string; updated_at: string; role: 'viewer' | 'member' | 'admin' | 'owner'; redacted?: { field: string; rule: string; }[] | undefined; };
  };
  "workspaces_delete": {
    input: { workspace_id: string; };
    output: { id: string; deleted: true; };
  };
  "workspaces_export": {
    input: { workspace_id: string; cursor?: string | undefined; limit?: number | undefined; };
    output: { records: { [x: string]: unknown; record: string; }[]; next: string | null; };
  };
  "workspaces_get": {
    input: { workspace_id?: string | undefined; };
    output: { id: string; name: string; description: string; created_at: string; updated_at: string; role: 'viewer' | 'member' | 'admin' | 'owner'; };
  };
  "workspaces_list": {
    input: { page?: number | undefined; per_page?: number | undefined; };
    output: { items: { id: string; name: string; description: string; created_at: string; updated_at: string; role: 'viewer' | 'member' | 'admin' | 'owner'; }[]; total: number; page: number; per_page: number; has_next: boolean; has_prev: boolean; };
  };
  "workspaces_overview": {
    input: { workspace_id?: string | undefined; };
    output: { workspace: { id: string; name: string; description: string; created_at: string; updated_at: string; role: 'viewer' | 'member' | 'admin' | 'owner'; }; counts: { [x: string]: unknown; projects: number; files: number; chunks: number; events: number; nodes: number; members: number; }; indexing: { pending: number; indexed: number; failed: number; }; languages: { language: string; files: number; bytes: number; }[]; recent_events: { [x: string]: unknown; }[]; recent_decisions: { [x: string]: unknown; }[]; quotas?: { resource: string; limit: number; used: number; }[] | undefined; };
  };
  "workspaces_update": {
    input: { workspace_id: string; name?: string | undefined; description?: string | undefined; };
    output: { id: string; name: string; description: string; created_at: string; updated_at: string; role: 'viewer' | 'member' | 'admin' | 'owner'; redacted?: { field: string; rule: string; }[] | undefined; };
  };
}

/** Method and path of every tool that answers with JSON; from the OpenAPI document. */
export const ROUTES = {
  ai_context: ['POST', '/v1/ai/context'],
  ai_embeddings: ['POST', '/v1/ai/embeddings'],
  ai_enhanced_context: ['POST', '/v1/ai/context/enhanced'],
  ai_generate_plan: ['POST', '/v1/ai/plan/generate'],
  auth_create_api_key: ['POST', '/v1/auth/api-keys'],
  auth_delete_account: ['DELETE', '/v1/auth/accounts/{account_id}'],
  auth_invite: ['POST', '/v1/auth/invitations'],
  auth_list_accounts: ['GET', '/v1/auth/accounts'],
  auth_list_api_keys: ['GET', '/v1/auth/api-keys'],
  auth_list_audit: ['GET', '/v1/auth/audit'],
  auth_list_connections: ['GET', '/v1/auth/connections'],
  auth_list_invitations: ['GET', '/v1/auth/invitations'],
  auth_list_sessions: ['GET', '/v1/auth/sessions'],
  auth_login: ['POST', '/v1/auth/login'],
  auth_logout: ['POST', '/v1/auth/logout'],
  auth_me: ['GET', '/v1/auth/me'],
  auth_password: ['POST', '/v1/auth/password'],
  auth_refresh: ['POST', '/v1/auth/refresh'],
  auth_register: ['POST', '/v1/auth/register'],
  auth_revoke_api_key: ['DELETE', '/v1/auth/api-keys/{key_id}'],
  auth_revoke_connection: ['DELETE', '/v1/auth/connections/{connection_id}'],
  auth_revoke_invitation: ['DELETE', '/v1/auth/invitations/{invitation_id}'],
  auth_revoke_session: ['DELETE', '/v1/auth/sessions/{session_id}'],
  auth_update_account: ['PATCH', '/v1/auth/accounts/{account_id}'],
  context: ['POST', '/v1/ai/context/turn'],
  deployment_get: ['GET', '/v1/deployment'],
  deployment_usage: ['GET', '/v1/usage'],
  files_delete: ['POST', '/v1/projects/{project_id}/files/delete'],
  files_ingest: ['POST', '/v1/projects/{project_id}/files/ingest'],
  files_list: ['GET', '/v1/projects/{project_id}/files'],
  files_read: ['GET', '/v1/projects/{project_id}/files/content'],
  graph_call_paths: ['POST', '/v1/graph/call-paths'],
  graph_cycles: ['GET', '/v1/graph/cycles'],
  graph_dependencies: ['POST', '/v1/graph/dependencies'],
  graph_impact_analysis: ['POST', '/v1/graph/impact-analysis'],
  graph_link_knowledge: ['POST', '/v1/graph/knowledge/edges'],
  graph_list_links: ['GET', '/v1/graph/knowledge/edges'],
  graph_overview: ['GET', '/v1/graph/overview'],
  graph_related_knowledge: ['POST', '/v1/graph/knowledge/related'],
  graph_symbols: ['GET', '/v1/graph/symbols'],
  graph_unlink_knowledge: ['DELETE', '/v1/graph/knowledge/edges/{edge_id}'],
  graph_unused: ['GET', '/v1/graph/unused'],
  help: ['GET', '/v1/help'],
  init: ['GET', '/v1/ai/init'],
  members_accept: ['POST', '/v1/auth/invitations/{membership_id}/accept'],
  members_add: ['POST', '/v1/workspaces/{workspace_id}/members'],
  members_decline: ['POST', '/v1/auth/invitations/{membership_id}/decline'],
  members_get: ['GET', '/v1/workspaces/{workspace_id}/members/{user_id}'],
  members_list: ['GET', '/v1/workspaces/{workspace_id}/members'],
  members_list_invitations: ['GET', '/v1/auth/invitations/mine'],
  members_remove: ['DELETE', '/v1/workspaces/{workspace_id}/members/{user_id}'],
  members_update: ['PATCH', '/v1/workspaces/{workspace_id}/members/{user_id}'],
  memory_create_event: ['POST', '/v1/memory/events'],
  memory_create_node: ['POST', '/v1/memory/nodes'],
  memory_decisions: ['GET', '/v1/memory/search/decisions'],
  memory_delete_event: ['DELETE', '/v1/memory/events/{event_id}'],
  memory_delete_many: ['POST', '/v1/memory/delete'],
  memory_delete_node: ['DELETE', '/v1/memory/nodes/{node_id}'],
  memory_facets: ['GET', '/v1/memory/facets'],
  memory_get_event: ['GET', '/v1/memory/events/{event_id}'],
  memory_get_node: ['GET', '/v1/memory/nodes/{node_id}'],
  memory_hygiene: ['GET', '/v1/memory/hygiene'],
  memory_keep_apart: ['POST', '/v1/memory/keep-apart'],
  memory_list_events: ['GET', '/v1/memory/events/workspace/{workspace_id}'],
  memory_list_nodes: ['GET', '/v1/memory/nodes/workspace/{workspace_id}'],
  memory_merge: ['POST', '/v1/memory/merge'],
  memory_node_history: ['GET', '/v1/memory/nodes/{node_id}/history'],
  memory_search: ['POST', '/v1/memory/search'],
  memory_set_node_status: ['POST', '/v1/memory/nodes/{node_id}/status'],
  memory_supersede_node: ['POST', '/v1/memory/nodes/{node_id}/supersede'],
  memory_timeline: ['GET', '/v1/memory/search/timeline/{workspace_id}'],
  memory_undo: ['POST', '/v1/memory/undo'],
  memory_update_event: ['PATCH', '/v1/memory/events/{event_id}'],
  memory_update_node: ['PATCH', '/v1/memory/nodes/{node_id}'],
  projects_create: ['POST', '/v1/projects'],
  projects_delete: ['DELETE', '/v1/projects/{project_id}'],
  projects_get: ['GET', '/v1/projects/{project_id}'],
  projects_index_status: ['GET', '/v1/projects/{project_id}/index/status'],
  projects_list: ['GET', '/v1/projects'],
  projects_retry_index: ['POST', '/v1/projects/{project_id}/index/retry'],
  projects_update: ['PATCH', '/v1/projects/{project_id}'],
  search_hybrid: ['POST', '/v1/search/hybrid'],
  search_keyword: ['POST', '/v1/search/keyword'],
  search_pattern: ['POST', '/v1/search/pattern'],
  search_semantic: ['POST', '/v1/search/semantic'],
  workspaces_create: ['POST', '/v1/workspaces'],
  workspaces_delete: ['DELETE', '/v1/workspaces/{workspace_id}'],
  workspaces_export: ['GET', '/v1/workspaces/{workspace_id}/export'],
  workspaces_get: ['GET', '/v1/workspaces/{workspace_id}'],
  workspaces_list: ['GET', '/v1/workspaces'],
  workspaces_overview: ['GET', '/v1/workspaces/{workspace_id}/overview'],
  workspaces_update: ['PATCH', '/v1/workspaces/{workspace_id}'],
} as const;
