import { t } from '../../../contract/text.ts'
import type { Connection, Connector } from '../../api/connections.ts'
import { type Meaning, Status } from '../status.tsx'

type ConnectionState = Connection['status']

const STATES: Record<ConnectionState, { label: string; meaning: Meaning }> = {
  pending: { label: t`Waiting`, meaning: 'info' },
  active: { label: t`Connected`, meaning: 'good' },
  expired: { label: t`Expired`, meaning: 'bad' },
  error: { label: t`Not responding`, meaning: 'warning' },
  failed: { label: t`Not completed`, meaning: 'neutral' },
  revoked: { label: t`Revoked`, meaning: 'neutral' },
}

export const ConnectionStatus = ({ status }: { status: ConnectionState }) => (
  <Status meaning={STATES[status].meaning}>{STATES[status].label}</Status>
)

export function connectionProblem({ status, statusReason, connector }: Connection): string | null {
  if (status === 'active' || status === 'revoked') return null
  if (statusReason) return statusReason
  if (status === 'pending')
    return connector.authType === 'oauth'
      ? t`Finish authorizing in the ${connector.name} tab.`
      : t`Enter the credentials to finish.`
  return status === 'failed' ? t`It wasn’t completed within 30 minutes.` : t`The provider rejects it.`
}

export const accountName = ({ account }: Pick<Connection, 'account'>) =>
  account?.name ?? account?.email ?? account?.id ?? null

/** `GitHub · Work` */
export const connectionName = ({ connector, label }: Pick<Connection, 'connector' | 'label'>) =>
  label ? `${connector.name} · ${label}` : connector.name

type Tool = Connector['tools'][number]

function riskOf({ effect, risk }: Pick<Tool, 'effect' | 'risk'>): { label: string; meaning: Meaning } {
  if (risk !== 'none') return RISKS[risk]
  return effect === 'read' ? { label: t`Reads`, meaning: 'good' } : { label: t`Changes`, meaning: 'info' }
}

const RISKS: Record<Exclude<Tool['risk'], 'none'>, { label: string; meaning: Meaning }> = {
  send: { label: t`Sends to others`, meaning: 'warning' },
  spend: { label: t`Spends money`, meaning: 'bad' },
  delete: { label: t`Deletes`, meaning: 'bad' },
  share: { label: t`Gives access`, meaning: 'warning' },
  execute: { label: t`Runs code`, meaning: 'bad' },
}

export const AVAILABILITIES: Record<Connector['availability'], string | null> = {
  available: null,
  beta: t`Beta`,
  coming_soon: t`Coming soon`,
  unconfigured: t`Not set up`,
  disabled: t`Turned off`,
}

/** `https://www.googleapis.com/auth/gmail.send` becomes `gmail.send`. */
export const shortScope = (scope: string) =>
  /^https?:\/\//.test(scope) ? (scope.split('/').at(-1) ?? scope) : scope

export function ToolRisks({ tools, slug }: Pick<Connector, 'tools' | 'slug'>) {
  return (
    <ul className="border-neutral-6 border-t">
      {tools.map((tool) => {
        const { label, meaning } = riskOf(tool)
        return (
          <li key={tool.name} className="flex flex-col gap-4 border-neutral-6 border-b py-8">
            <div className="flex items-center justify-between gap-12">
              <span className="wrap-anywhere font-mono text-12">{withoutSlug(tool.name, slug)}</span>
              <Status meaning={meaning}>{label}</Status>
            </div>
            <p className="text-12 text-neutral-11">{tool.description}</p>
          </li>
        )
      })}
    </ul>
  )
}

/** `github_search_issues` becomes `search_issues`. */
const withoutSlug = (name: string, slug: string) => {
  const prefix = `${slug.replaceAll('-', '_')}_`
  return name.startsWith(prefix) ? name.slice(prefix.length) : name.replace(`${slug}_`, '')
}
