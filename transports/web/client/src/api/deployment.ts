/** What the server wrote into the page: facts that are needed before the first request. */
interface Facts {
  /** The MCP endpoint, as the service knows its address. */
  readonly mcp: string;
  /** False with a single owner, who needs no credential. */
  readonly accounts: boolean;
  readonly version: string;
}

const content = document.querySelector<HTMLMetaElement>('meta[name="deployment"]')?.content ?? '';
const facts = JSON.parse(content) as Facts; // written by our own server: transports/web/src/mount.ts

/** The dashboard, and the service one level up: right below any path of a proxy. */
export const APP = new URL('./', document.baseURI);
export const ROOT = new URL('../', APP);

export const { accounts, version } = facts;

/** The parameter of an address that names the workspace that its page is about. */
export const WORKSPACE = 'workspace';

/** The address of MCP clients. Where the page came over the same host, the path of a proxy belongs to it too. */
export const mcpUrl = new URL(facts.mcp).origin === ROOT.origin ? new URL('mcp', ROOT).href : facts.mcp;

/** Leads to the sign-in page, and from there back to where the person is. */
export function signIn(): void {
  const back = location.pathname + location.search;
  location.assign(new URL(`oauth/login?${new URLSearchParams({ return_to: back }).toString()}`, ROOT));
}
