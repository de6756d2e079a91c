/** A server that has content, as the platform lists it. */
export interface ContentServer {
  /** `host` or `host:port`. */
  readonly address: string;
  /** What it wants to be called in `Host`, and what tokens for it are made out to. */
  readonly name: string;
  readonly isSecure: boolean;
  readonly demandsToken: boolean;
  /** Absent where it serves every app. */
  readonly appIds?: readonly number[];
  /** The platform's wish: the lower, the sooner. */
  readonly load: number;
}

export interface ManifestKey {
  readonly appId: number;
  readonly depotId: number;
  /** 64 bits, decimal. */
  readonly manifestId: string;
  readonly branch: string;
}

/** What the platform tells a logged-in account about content. Everything rejects with a PlatformFailure, within a deadline. */
export interface ContentDirectory {
  ownsApp(appId: number): Promise<boolean>;
  /** As the platform keeps it: a tree whose leaves are texts. Undefined for an app that it does not know. */
  productInfo(appId: number): Promise<unknown>;
  /** Undefined when the account may not have the depot. */
  depotKey(appId: number, depotId: number): Promise<Uint8Array | undefined>;
  /** Without it no server gives the manifest away, and it lasts for minutes. Undefined when this manifest is not to be had. */
  requestCode(manifest: ManifestKey): Promise<string | undefined>;
  servers(): Promise<readonly ContentServer[]>;
  /** The query string, with its question mark, that opens a depot on a server. */
  serverToken(appId: number, depotId: number, server: string): Promise<string>;
}
