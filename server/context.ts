import type { Role, StepUpMethod } from '../contract/accounts/accounts.ts'
import type { Sql } from './database/database.ts'
import { inTransaction } from './database/transaction.ts'
import { addJob, type Enqueue } from './jobs/job.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Vault } from './security/vault.ts'
import type { ObjectStore } from './storage/object-store.ts'

/** Who is calling, as established by one query; everything a domain function may decide by. */
export interface Caller {
  /** How they proved it. A `key` is bound to one organization and to its scopes, a `share` to one project. */
  via: 'session' | 'key' | 'share'
  /** The id of the session, of the key or of the share link. */
  credentialId: string
  /** Of a guest who came by a share link: whoever made the link. What a guest does is written down as nobody's. */
  userId: string
  orgId: string
  workspaceId: string | null
  role: Role
  /** A platform admin, who runs this server for every organization on it. */
  operator: boolean
  scopes: readonly string[] | 'all'
  /** ISO time until which the step-up window is open; always null for a key. */
  stepUpUntil: string | null
  /** How this person can step up; empty for a key. */
  stepUpMethods: readonly StepUpMethod[]
  /** Of a guest: the one project that they may see, and whether they may work on its canvas. */
  share?: ShareTicket
}

export interface ShareTicket {
  projectId: string
  access: 'view' | 'edit'
  /** Of the link; another one means that they have to come in again. */
  version: number
  /** When they came in: what happened before is not theirs to see. */
  since: Date
  until: Date
}

/** Where a request came from; for limits and the audit trail. */
export interface Origin {
  address: string
  userAgent: string | null
  /** The public address of this server as the caller sees it, without a trailing slash. */
  baseUrl: string
  /** What `flow` put into this browser, null without. */
  flow: string | null
}

interface Room<C> {
  caller: C
  origin: Origin
  sql: Sql
  now: () => Date
  /** Everything inside commits together or not at all; nested calls join the outer one. */
  transaction: <T>(work: (inside: Room<C>) => Promise<T>) => Promise<T>
  /** Adds a durable job on this context's connection, so inside a transaction it commits with the change. */
  enqueue: Enqueue
  vault: Vault
  /** Where the bytes of files are. */
  objects: ObjectStore
  /** Requests to addresses that people name. */
  outbound: Outbound
}

/** What every domain function receives. */
export type Context = Room<Caller>
/** The same for endpoints that anybody may call; the caller is known only where the endpoint asks to identify. */
export type PublicContext = Room<Caller | null>
/** The same for jobs, which act for the system. */
export type JobContext = PublicContext

/** Builds a context on a connection; `transaction` hands out the same context on the transaction's connection. */
export function createContext<C>(
  room: Pick<Room<C>, 'caller' | 'origin' | 'sql' | 'now' | 'vault' | 'objects' | 'outbound'>,
): Room<C> {
  const { sql } = room
  return {
    ...room,
    transaction: (work) => inTransaction(sql, (inside) => work(createContext({ ...room, sql: inside }))),
    enqueue: async (job, payload, options) => sql`select ${addJob(sql, job, payload, options)}`,
  }
}
