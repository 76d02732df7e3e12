import type { Role, StepUpMethod } from '../contract/accounts/accounts.ts'
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

/** The authenticated caller, loaded by one query: everything that an access decision may depend on. */
export interface Caller {
  /**
   * The credential. A `key` is bound to one organization and to its scopes, a `share` to one project. A `run` has the
   * rights of the person or key that started it. An `app` has a grant for one organization, over MCP only.
   */
  via: 'session' | 'key' | 'share' | 'run' | 'app'
  /** The id of the session, the key, the share link, the run or the grant. */
  credentialId: string
  /** For a guest: the user who created the share link. Actions of a guest are recorded without a user. */
  userId: string
  orgId: string
  workspaceId: string | null
  role: Role
  /** An operator, who runs this server for all of its organizations. */
  operator: boolean
  scopes: readonly string[] | 'all'
  /** A key that may only read. */
  readOnly?: boolean
  /** ISO time at which the step-up window ends; always null for a key. */
  stepUpUntil: string | null
  /** The methods with which the user can step up; empty for a key. */
  stepUpMethods: readonly StepUpMethod[]
  /** For a run: whether it has read untrusted content. Its texts are then those of an untrusted author. */
  trust?: 'trusted' | 'verified' | 'untrusted'
  /** For a guest: the only visible project, and whether its canvas is editable. */
  share?: GuestGrant
}

export interface GuestGrant {
  projectId: string
  access: 'view' | 'edit'
  /** Whether the guest reads and writes comments: the link grants comment or edit access. */
  comments: boolean
  /** The version of the share link. A grant for another version is no longer valid. */
  version: number
  /** When the guest opened the link; earlier events are hidden from the guest. */
  since: Date
  until: Date
}

/** The client that sent a call; for rate limits and the audit trail. */
export interface Origin {
  ip: string
  userAgent: string | null
  /** The public URL of this server as the caller sees it, without a trailing slash. */
  baseUrl: string
  /** The secret in the OAuth flow cookie, null without one. */
  flowSecret: string | null
  /** The value of the cookie with the accounts of this browser. */
  deviceToken?: string | null
  /** The credentials of an OAuth client that authenticates by HTTP Basic. */
  client?: { id: string; secret: string } | null
}

/** What a function may need beside the core of a context, and declares by name: `Context<'objects' | 'quotas'>`. */
export interface Capabilities {
  vault: Vault
  objects: ObjectStore
  /** The client for requests to URLs that users enter. */
  outbound: Outbound
  mail: MailSettings
  /** Usage and limits of the organizations. */
  quotas: Quotas
  /** The organizations that are suspended. */
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
   * Commits everything in `work` or nothing; a nested call joins the outer transaction. Throws if the caller has lost
   * access since the handler started.
   */
  transaction: <T>(work: (inside: ContextOf<C, K>) => Promise<T>) => Promise<T>
  /** This context on a transaction that another call began. `confirm` is to be called before its commit. */
  join: (transaction: Sql) => JoinedContext<C, K>
  /** Adds a durable job on the connection of this context; in a transaction it commits with the change. */
  enqueue: Enqueue
}

type ContextOf<C, K extends Capability> = Core<C, K> & Pick<Capabilities, K>

interface JoinedContext<C, K extends Capability> {
  inside: ContextOf<C, K>
  /** Throws if the caller has lost access since the handler started. */
  confirm: () => Promise<void>
}

/** Passed to the handler of every endpoint that requires a caller. */
export type Context<K extends Capability = never> = ContextOf<Caller, K>
/** Passed to the handler of a public endpoint; the caller is null unless the endpoint declares `identify`. */
export type PublicContext<K extends Capability = never> = ContextOf<Caller | null, K>
/** Passed to jobs, which run on behalf of the system. */
export type JobContext<K extends Capability = never> = PublicContext<K>

type ContextBase = Pick<PublicContext, 'caller' | 'origin' | 'sql' | 'now'> & Partial<Capabilities>

/**
 * Creates a context on a connection; `transaction` passes on the same context on the connection of the transaction, and
 * rolls back if `beforeCommit` throws.
 */
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
 * Marks the transaction of a guest or of an untrusted run: the database records the names, descriptions and other short
 * texts that it writes as those of an untrusted author (`text_origins`).
 */
export async function markOutsideAuthor(transaction: Sql, caller: Caller | null): Promise<void> {
  if (isOutsideAuthor(caller))
    await transaction`select set_config('atrium.outside_author', ${caller!.via}, true)`
}

/** Whether a text that this caller writes is data for agents: a guest's, or one of a run that is not trusted. */
export const isOutsideAuthor = (caller: Caller | null): boolean =>
  caller?.via === 'share' || (caller?.trust ?? 'trusted') !== 'trusted'
