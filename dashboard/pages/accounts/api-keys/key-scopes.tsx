import { SCOPES } from '../../../../contract/accounts/scopes.ts'
import { Badge } from '../../../components/badge.tsx'
import type { ApiKey } from './api-keys-queries.ts'

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
