import { ChevronRight } from 'lucide-react'
import { OFFERED_SCOPES, SCOPES } from '../../../../contract/accounts/scopes.ts'

/** The list of scopes, collapsed by default. */
export function ScopeReference() {
  return (
    <details className="group px-16 py-12 md:px-24">
      <summary className="flex items-center gap-8 text-13 text-neutral-11 hover:text-neutral-12">
        <ChevronRight aria-hidden className="icon transition-transform group-open:rotate-90" />
        Scope reference
      </summary>
      <p className="mt-8 max-w-wide pl-24 text-13 text-neutral-11">
        A key has your permissions in this organization. Scopes limit its access to files, models, changes to
        agents, connections, API keys, machine payments and MCP; a read-only key changes nothing.
      </p>
      <dl className="mt-8 max-w-wide pl-24 text-13">
        {OFFERED_SCOPES.map((scope) => (
          <div
            key={scope}
            className="flex flex-wrap gap-x-16 border-neutral-6 border-b py-8 last:border-b-0 @medium:grid @medium:grid-cols-3"
          >
            <dt className="font-mono text-12">{scope}</dt>
            <dd className="text-neutral-11 @medium:col-span-2">{SCOPES[scope]}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
