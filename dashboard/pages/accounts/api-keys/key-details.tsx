import { useQueryClient } from '@tanstack/react-query'
import { SCOPES } from '../../../../contract/accounts/scopes.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { Badge } from '../../../components/badge.tsx'
import { Bars } from '../../../components/charts/sparkline.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { formatDay } from '../../../components/dates.ts'
import { Rename } from '../../../components/dialogs/rename.tsx'
import { Time } from '../../../components/time.tsx'
import { type ApiKey, apiKeysQuery } from './api-keys-queries.ts'
import { KeyAbilities } from './scopes.tsx'

export function KeyDetails({ apiKey }: { apiKey: ApiKey }) {
  const queries = useQueryClient()
  const rename = async (name: string) => {
    await api.apiKeys.update({ id: apiKey.id, name })
    await queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
  }
  return (
    <div className="flex flex-col items-start gap-12 text-13 text-neutral-11">
      <Rename name={apiKey.name} maxLength={120} onRename={rename} />
      <KeyAbilities scopes={apiKey.scopes} readOnly={apiKey.readOnly} />
      <Scopes apiKey={apiKey} all />
      <KeyCalls apiKey={apiKey} large />
      <p>
        Created <Time at={apiKey.createdAt} /> · <LastUse apiKey={apiKey} /> · <Expiry apiKey={apiKey} />
      </p>
      <p className="flex items-center gap-8">
        Key ID <CopyId id={apiKey.id} what="key ID" />
      </p>
    </div>
  )
}

export function LastUse({ apiKey: { lastUsedAt, lastUsedAddress } }: { apiKey: ApiKey }) {
  if (!lastUsedAt) return <>Never used</>
  return (
    <>
      Last used <Time at={lastUsedAt} />
      {lastUsedAddress && t` from ${lastUsedAddress}`}
    </>
  )
}

export function Expiry({ apiKey: { expiresAt } }: { apiKey: ApiKey }) {
  if (!expiresAt) return <>Never expires</>
  return (
    <>
      {isExpired(expiresAt) ? t`Expired` : t`Expires`}{' '}
      <Time at={expiresAt} isExpected={!isExpired(expiresAt)} />
    </>
  )
}

export const isExpired = (expiresAt: string | null) =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now()

const DAY_MS = 86_400_000

export function KeyCalls({ apiKey: { callsPerDay }, large }: { apiKey: ApiKey; large?: boolean }) {
  const total = totalCalls(callsPerDay)
  return (
    <span className={`inline-flex items-center gap-8 ${large ? '' : 'justify-end'}`}>
      <Bars
        values={callsPerDay}
        label={t`${formatCalls(total)} in the last ${callsPerDay.length} days`}
        titleOf={(calls, index) => `${dayOf(callsPerDay.length - 1 - index)}: ${formatCalls(calls)}`}
        height={large ? 32 : 16}
        className={large ? 'w-qr' : 'w-48'}
      />
      <span className={`text-right text-neutral-11 ${large ? '' : 'min-w-24'}`}>
        {large ? t`${formatCalls(total)} in ${callsPerDay.length} days` : total.toLocaleString(LOCALE)}
      </span>
    </span>
  )
}

const totalCalls = (callsPerDay: readonly number[]) => callsPerDay.reduce((sum, calls) => sum + calls, 0)

const formatCalls = (calls: number) => (calls === 1 ? t`1 call` : t`${calls.toLocaleString(LOCALE)} calls`)

const dayOf = (daysAgo: number) =>
  daysAgo === 0 ? t`Today` : formatDay(new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10))

const SCOPES_SHOWN_MAX = 2

export function Scopes({ apiKey: { scopes, readOnly }, all }: { apiKey: ApiKey; all?: boolean }) {
  const shown = all ? scopes : scopes.slice(0, SCOPES_SHOWN_MAX)
  const hiddenScopes = scopes.slice(shown.length)
  return (
    <span className={`flex gap-4 ${all ? 'flex-wrap' : ''}`}>
      {readOnly && <Badge>Read only</Badge>}
      {shown.map((scope) => (
        <span key={scope} title={(SCOPES as Record<string, string>)[scope]}>
          <Badge mono>{scope}</Badge>
        </span>
      ))}
      {hiddenScopes.length > 0 && (
        <span title={hiddenScopes.join(', ')} className="text-12 text-neutral-11">
          +{hiddenScopes.length}
        </span>
      )}
      {scopes.length === 0 && !readOnly && <span className="text-neutral-11">No scopes</span>}
    </span>
  )
}
