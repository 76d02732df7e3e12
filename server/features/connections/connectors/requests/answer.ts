/** A response of a provider. */
export interface ProviderAnswer {
  status: number
  headers: Record<string, string>
  /** Parsed JSON, or the text of another content type. */
  body: unknown
  bytes: Buffer
  /** The provider sent more than 1 MB, and the rest was not read. */
  truncated: boolean
}
