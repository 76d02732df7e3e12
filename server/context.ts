import type { Role, StepUpMethod } from '../contract/accounts/accounts.ts'
import type { Language } from '../contract/languages.ts'
import type { Sql } from './database/database.ts'
import { inTransaction } from './database/transaction.ts'
import type { Hooks } from './hooks.ts'
import { addJob, type Enqueue } from './jobs/job.ts'
import type { MailSettings } from './mail/mail-settings.ts'
import type { Quotas } from './metering/quotas.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Vault } from './security/vault.ts'
import type { ObjectStore } from './storage/object-store.ts'
import type { Suspensions } from './suspensions/suspensions.ts'

/** Everything an access decision may depend on, loaded by one query. */
export interface Caller {
  /**
   * The credential. A `key` is bound to one organization and its scopes, a `share` to one project. A `run` has the
   * permissions of the user or key that started it. An `app` has a grant for one organization, over MCP only.
   */
  via: 'session' | 'key' | 'share' | 'run' | 'app'
  /** Id of the session, key, share link, run or grant. */
  credentialId: string
  /** For a guest, the share link's creator. Guest actions are recorded without a user. */
  userId: string
  orgId: string
  workspaceId: string | null
  role: Role
  /** Runs this server for all its organizations. */
  operator: boolean
  scopes: readonly string[] | 'all'
  readOnly?: boolean
  /** ISO time when the step-up window ends. Always null for a key. */
  stepUpUntil: string | null
  /** Empty for a key. */
  stepUpMethods: readonly StepUpMethod[]
  /** For a run that read untrusted content: its texts count as an untrusted author's. */
  trust?: 'trusted' | 'verified' | 'untrusted'
  /** For a guest: the only visible project. */
  share?: GuestGrant
}

export interface GuestGrant {
  projectId: string
  access: 'view' | 'edit'
  /** The link grants comment or edit access. */
  comments: boolean
  /** Share link version. A grant for another version is no longer valid. */
  version: number
  /** When the guest opened the link. Earlier events are hidden. */
  since: Date
  until: Date
}

/** For rate limits and the audit trail. */
export interface Origin {
  ip: string
  userAgent: string | null
  /** As the caller sees it, without a trailing slash. */
  baseUrl: string
  /** From the OAuth flow cookie. */
  flowSecret: string | null
  /** Cookie value listing this browser's accounts. */
  deviceToken?: string | null
  /** Of the dashboard's page in this browser. Null or absent if the request names none that exists. */
  language?: Language | null
  /** For an OAuth client that authenticates by HTTP Basic. */
  client?: { id: string; secret: string } | null
}

/** Functions declare the ones they need: `Context<'objects' | 'quotas'>`. */
export interface Capabilities {
  vault: Vault
  objects: ObjectStore
  /** For requests to user-entered URLs. */
  outbound: Outbound
  mail: MailSettings
  quotas: Quotas
  suspensions: Suspensions
  /** What features above added to the behavior of features below them. */
  hooks: Hooks
}

export type Capability = keyof Capabilities

interface Core<C, K extends Capability> {
  caller: C
  origin: Origin
  sql: Sql
  now: () => Date
  /**
   * Commits all or nothing. Nested calls join the outer transaction. Throws if the caller has lost access since the
   * handler started.
   */
  transaction: <T>(work: (inside: ContextOf<C, K>) => Promise<T>) => Promise<T>
  /** Uses a transaction another call began. Call `confirm` before its commit. */
  join: (transaction: Sql) => JoinedContext<C, K>
  /** Adds a durable job. In a transaction it commits with the change. */
  enqueue: Enqueue
}

type ContextOf<C, K extends Capability> = Core<C, K> & Pick<Capabilities, K>

interface JoinedContext<C, K extends Capability> {
  inside: ContextOf<C, K>
  /** Throws if the caller has lost access since the handler started. */
  confirm: () => Promise<void>
}

/** For endpoints that require a caller. */
export type Context<K extends Capability = never> = ContextOf<Caller, K>
/** For public endpoints. The caller is null unless the endpoint declares `identify`. */
export type PublicContext<K extends Capability = never> = ContextOf<Caller | null, K>
/** For jobs, which run as the system. */
export type JobContext<K extends Capability = never> = PublicContext<K>

type ContextBase = Pick<PublicContext, 'caller' | 'origin' | 'sql' | 'now'> & Partial<Capabilities>

/** `transaction` passes on the same context on its own connection, and rolls back if `beforeCommit` throws. */
export function createContext<B extends ContextBase>(
  base: B,
  beforeCommit?: () => Promise<void>,
): ContextOf<B['caller'], Extract<keyof B, Capability>> {
  type Created = ContextOf<B['caller'], Extract<keyof B, Capability>>
  const { sql } = base
  const join = (transaction: Sql) => ({
    inside: createContext({ ...base, sql: transaction }) as unknown as Created,
    confirm: async () => beforeCommit?.(),
  })
  const core: Core<B['caller'], Extract<keyof B, Capability>> = {
    caller: base.caller,
    origin: base.origin,
    sql,
    now: base.now,
    join,
    transaction: (work) =>
      inTransaction(sql, async (transaction) => {
        await markOutsideAuthor(transaction, base.caller)
        const { inside, confirm } = join(transaction)
        const result = await work(inside)
        await confirm()
        return result
      }),
    enqueue: async (job, payload, options) => {
      const orgId = base.caller?.orgId
      await sql`select ${addJob(sql, job, payload, { orgId, ...options })}`
    },
  }
  return { ...base, ...core } as Created
}

/**
 * The database then records the transaction's names, descriptions and other short texts as written by an untrusted
 * author (`text_origins`).
 */
export async function markOutsideAuthor(transaction: Sql, caller: Caller | null): Promise<void> {
  if (isOutsideAuthor(caller))
    await transaction`select set_config('atrium.outside_author', ${caller!.via}, true)`
}

/** Agents treat text by guests and untrusted runs as data. */
export const isOutsideAuthor = (caller: Caller | null): boolean =>
  caller?.via === 'share' || (caller?.trust ?? 'trusted') !== 'trusted'
