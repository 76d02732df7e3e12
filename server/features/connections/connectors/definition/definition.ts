import { z } from 'zod'
import type { ConnectorCategory } from '../../../../../contract/connections/connector-options.ts'
import type { Auth } from './auth.ts'
import type { Field } from './fields.ts'
import type { ReceiverDefinition } from './receiver.ts'
import type { RequestTemplate } from './template.ts'

/**
 * Templates contain `{config.host}` (entered beforehand), `{kept.cloudId}` (from the authorization or check),
 * `{credentials.token}` and, in tool requests, input names: `{owner}`.
 */
export interface ConnectorDefinition {
  slug: string
  name: string
  /** One line about how agents use it. */
  description: string
  category: ConnectorCategory
  /** `checkedAt`: last compared with the provider's SDK or API notes. */
  docsUrl: string
  checkedAt: string
  availability?: { value: 'beta' | 'coming_soon'; reason: string }
  config?: readonly Field[]
  auth: Auth
  /**
   * Decides the host: `https://{config.subdomain}.zendesk.com`. A function where editions differ in more than the host,
   * such as GitHub Enterprise.
   */
  baseUrl: string | ((config: Readonly<Record<string, string>>) => string)
  /** Such as `*.my.salesforce.com`, `content.dropboxapi.com`. */
  hosts?: readonly string[]
  headers?: Readonly<Record<string, string>>
  check: Check
  /** Sent once, after authorization or the check. Its result, such as a site id, is stored. */
  discover?: {
    request: RequestTemplate
    keep: (answer: unknown, config: Readonly<Record<string, string>>) => Record<string, string>
  }
  /** Default: `retry-after` in seconds. */
  retryAfter?: { header: string; unit: 'seconds' | 'milliseconds' | 'epoch' }
  /** If the status isn't enough. The first match applies. */
  errors?: readonly ErrorRule[]
  /** The first path with a text applies. */
  errorFields?: { code?: string; message?: string | readonly string[] }
  tools: readonly ConnectorTool[]
  receiver?: ReceiverDefinition
}

/** The smallest authorized request. Paths are into its JSON response. */
export interface Check {
  request: RequestTemplate | ((config: Readonly<Record<string, string>>) => RequestTemplate)
  account: { id?: string; name?: string; email?: string; avatarUrl?: string }
  /** No known request checks the credentials. */
  isSkipped?: true
}

export interface ErrorRule {
  status?: number
  /** Into the JSON response. Without `equals` and `includes`, any value. */
  path?: string
  equals?: unknown
  includes?: string
  means: 'expired' | 'revoked' | 'slow_down' | 'not_found' | 'forbidden' | 'invalid' | 'failed'
  /** If the provider's doesn't name the next action. */
  message?: string
}

export interface ConnectorTool<Input extends z.ZodObject = z.ZodObject> {
  /** Without the slug: `create_issue`. */
  name: string
  /** The first sentence says when to use it. */
  description: string
  input: Input
  /** If it differs from `input`. */
  inputSchema?: object
  effect: 'read' | 'idempotent' | 'once'
  risk: 'none' | 'send' | 'spend' | 'delete' | 'share'
  request: RequestTemplate | ((input: never) => RequestTemplate)
  /** What the model receives. Default: everything. */
  answer?: Answer
  pages?: Pages
}

export interface Answer {
  /** Such as `data.issues.nodes`. */
  at?: string
  /** For a list, per item: `['id', 'title', 'user.login']`. */
  pick?: readonly string[]
  map?: (answer: unknown) => unknown
}

/** The input's `limit` counts items. */
export type Pages =
  /** `next` is a path into the response, `send` the query parameter or body path. */
  | { by: 'cursor'; next: string; send: { query: string } | { body: string } }
  /** The `link` header with `rel="next"`. */
  | { by: 'link' }
  | { by: 'page'; send: { query: string }; first?: number }
  | { by: 'offset'; send: { query: string } }

/** Types the request function's input. */
export const tool = <Input extends z.ZodObject>(
  definition: Omit<ConnectorTool<Input>, 'request'> & {
    request: RequestTemplate | ((input: z.output<Input>) => RequestTemplate)
  },
): ConnectorTool => definition as unknown as ConnectorTool

export const limit = (max: number, fallback = 20) =>
  z.int().min(1).max(max).default(Math.min(fallback, max)).describe('How many to return')

/** One path segment at the provider. */
export const id = (description: string) => z.string().trim().min(1).max(200).describe(description)
