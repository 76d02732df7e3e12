import { redirectTargetOf } from '../../../../../contract/mcp/redirect-uri.ts'

/** A client that requests a code. */
export interface Client {
  id: string
  /** Chosen by the client. */
  name: string
  /** The host that published the metadata of the client; null if the client registered itself. */
  host: string | null
  redirectUris: string[]
}

/** The id of a client that publishes a metadata document is the URL of the document. */
export const isClientUrl = (id: string): boolean => /^https:/i.test(id)

/** The host to show for a client: its own, or where it receives its codes. */
export const hostOfClient = ({ host }: Client, redirectUri: string): string =>
  host ?? redirectTargetOf(redirectUri)
