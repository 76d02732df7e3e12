import type { SourcePause } from '../../../../../contract/knowledge/source-options.ts'
import { SOURCE_KINDS } from '../../../../../contract/knowledge/source-options.ts'
import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import { type Context, createContext, type JobContext } from '../../../../context.ts'
import { resolveActingMember } from '../../../agents/outside-messages/outside-messages.ts'
import { listUsable } from '../../../connections/connections/connections.ts'
import { syncedFiles } from '../../../files/files/files.ts'
import type { Provider, SettingsOf } from '../providers/provider.ts'
import { PROVIDERS } from '../providers/providers.ts'
import { openRemote, type Remote } from '../providers/remote.ts'
import { lockSource } from '../queries.ts'
import type { SourceRow } from '../records.ts'
import { type DueSource, extendLease } from './queries.ts'

export type SyncContext = JobContext<'mail' | 'objects' | 'outbound' | 'quotas' | 'vault'> & {
  connectors: ConnectorsConfig
}

/** Longer than a download may take. Every write renews it. */
export const LEASE_MS = 180_000

/** One part of a sync, by the worker that holds the lease. */
export interface Session {
  due: DueSource
  source: SourceRow
  provider: Provider
  settings: SettingsOf<never>
  remote: Remote
  /** The owner. Everything from outside is written as an untrusted author's. */
  acting: Context<'objects' | 'quotas'>
  /** Throws `LeaseLost` if another worker or a member took over. */
  leased: <T>(work: (inside: Context<'objects' | 'quotas'>, source: SourceRow) => Promise<T>) => Promise<T>
}

export class LeaseLost extends Error {}

export type Opened =
  | { kind: 'open'; session: Session }
  | { kind: 'pause'; reason: SourcePause }
  | { kind: 'lost' }

export async function openSession(ctx: SyncContext, due: DueSource, signal: AbortSignal): Promise<Opened> {
  const { orgId, id } = due
  const source = await lockSource(ctx.sql, orgId, id)
  if (!isHeld(source, due)) return { kind: 'lost' }
  const { ownerId: userId, projectId, connectionId, kind } = source
  const member = await resolveActingMember(ctx.sql, orgId, { userId, projectId, credentialId: id })
  if (member.caller === null) return { kind: 'pause', reason: member.obstacle }
  if (!(await syncedFiles.findFolderOf(ctx.sql, orgId, projectId, source.folderId)))
    return { kind: 'pause', reason: 'folder_gone' }
  const { connector } = SOURCE_KINDS[kind]
  if (connector !== null) {
    const usable = await listUsable(ctx.sql, orgId, { userId, projectId, slugs: [connector] })
    if (!usable.some((connection) => connection.id === connectionId))
      return { kind: 'pause', reason: 'connection_lost' }
  }
  const provider = PROVIDERS[kind]
  const caller = { ...member.caller, trust: 'untrusted' as const }
  const acting = createContext({ ...ctx, caller }) as Context<'objects' | 'quotas'>
  const leased: Session['leased'] = (work) =>
    acting.transaction(async (inside) => {
      const current = await lockSource(inside.sql, orgId, id)
      if (!isHeld(current, due)) throw new LeaseLost()
      await extendLease(inside.sql, due, new Date(ctx.now().getTime() + LEASE_MS))
      return work(inside as Context<'objects' | 'quotas'>, current)
    })
  const remote = openRemote(ctx, orgId, connectionId, signal)
  const settings = source.settings as SettingsOf<never>
  return { kind: 'open', session: { due, source, provider, settings, remote, acting, leased } }
}

const isHeld = (source: SourceRow | null, { lease }: DueSource): source is SourceRow =>
  source?.lease === lease && source.enabled && source.pausedReason === null
