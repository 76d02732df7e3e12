import { z } from 'zod'
import type { ConnectorCategory } from '../../../../../contract/connections/connector-options.ts'
import type { Auth } from './auth.ts'
import type { Field } from './fields.ts'
import type { ReceiverDefinition } from './receiver.ts'
import type { RequestTemplate } from './template.ts'

/**
 * A service that connections can be made to, as data. Templates contain `{config.host}` (entered by a person before the
 * connection starts), `{kept.cloudId}` (kept from the authorization or the check) and `{credentials.token}`, and in
 * requests of tools the names of their input: `{owner}`.
 */
export interface ConnectorDefinition {
  slug: string
  name: string
  /** One line about its use by agents. */
  description: string
  category: ConnectorCategory
  /**
   * The documentation of the provider. `checkedAt`: when the definition was last compared with an SDK of the provider,
   * or with notes about its API.
   */
  docsUrl: string
  checkedAt: string
  /** Absent: available. A reason is required with each. */
  availability?: { value: 'beta' | 'coming_soon'; reason: string }
  config?: readonly Field[]
  auth: Auth
  /**
   * The URL that requests start with; it decides the host. `https://{config.subdomain}.zendesk.com`. A function returns
   * such a template where the editions of a service differ in more than the host, such as GitHub Enterprise.
   */
  baseUrl: string | ((config: Readonly<Record<string, string>>) => string)
  /** Further hosts that requests of this connector may go to: `*.my.salesforce.com`, `content.dropboxapi.com`. */
  hosts?: readonly string[]
  headers?: Readonly<Record<string, string>>
  check: Check
  /** Sent once, after the authorization or the check of the credentials. Its result is stored: the id of a site. */
  discover?: {
    request: RequestTemplate
    keep: (answer: unknown, config: Readonly<Record<string, string>>) => Record<string, string>
  }
  /** The header with the time of the next call. Default: `retry-after` in seconds. */
  retryAfter?: { header: string; unit: 'seconds' | 'milliseconds' | 'epoch' }
  /** Rules for failures that the status alone does not identify: the first that matches applies. */
  errors?: readonly ErrorRule[]
  /** Where the provider puts its own error code and message; of several paths, the first that has a text. */
  errorFields?: { code?: string; message?: string | readonly string[] }
  tools: readonly ConnectorTool[]
  receiver?: ReceiverDefinition
}

/** The smallest authorized request of the provider, which also names the account. Paths are into its JSON answer. */
export interface Check {
  /** A function where a person enters the path. */
  request: RequestTemplate | ((config: Readonly<Record<string, string>>) => RequestTemplate)
  account: { id?: string; name?: string; email?: string; avatarUrl?: string }
  /** No request is known that checks credentials: they are stored without one. */
  isSkipped?: true
}

export interface ErrorRule {
  status?: number
  /** A path into the JSON answer, and the value there or a part of its text; without both, any value. */
  path?: string
  equals?: unknown
  includes?: string
  means: 'expired' | 'revoked' | 'slow_down' | 'not_found' | 'forbidden' | 'invalid' | 'failed'
  /** Replaces the provider's message where it does not name the next action. */
  message?: string
}

export interface ConnectorTool<Input extends z.ZodObject = z.ZodObject> {
  /** Without the slug: `create_issue`. */
  name: string
  /** The first sentence states when to use it. */
  description: string
  input: Input
  /** The JSON Schema that models receive, if it is not that of `input`. */
  inputSchema?: object
  effect: 'read' | 'idempotent' | 'once'
  risk: 'none' | 'send' | 'spend' | 'delete' | 'share'
  request: RequestTemplate | ((input: never) => RequestTemplate)
  /** The parts of the JSON response that the model receives. Default: all of it. */
  answer?: Answer
  pages?: Pages
}

export interface Answer {
  /** The path of the part that the model receives: `data.issues.nodes`. */
  at?: string
  /** The fields that are returned, of each item if the part is a list: `['id', 'title', 'user.login']`. */
  pick?: readonly string[]
  /** For selections that a list of fields cannot express. */
  map?: (answer: unknown) => unknown
}

/** How the next page of a list is requested. `limit` of the input is the number of items that the model requests. */
export type Pages =
  /** `next` is a path into the answer, `send` the name of the parameter of the query or the path in the body. */
  | { by: 'cursor'; next: string; send: { query: string } | { body: string } }
  /** The `link` header with `rel="next"`. */
  | { by: 'link' }
  | { by: 'page'; send: { query: string }; first?: number }
  | { by: 'offset'; send: { query: string } }

/** Gives the request function the type of the input. */
export const tool = <Input extends z.ZodObject>(
  definition: Omit<ConnectorTool<Input>, 'request'> & {
    request: RequestTemplate | ((input: z.output<Input>) => RequestTemplate)
  },
): ConnectorTool => definition as unknown as ConnectorTool

/** How many items of a list the model requests. */
export const limit = (max: number, fallback = 20) =>
  z.int().min(1).max(max).default(Math.min(fallback, max)).describe('How many to return')

/** The id of something at a provider: one segment of a path. */
export const id = (description: string) => z.string().trim().min(1).max(200).describe(description)
