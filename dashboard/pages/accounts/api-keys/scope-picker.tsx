import {
  OFFERED_READ_SCOPES,
  OFFERED_SCOPES,
  SCOPES,
  type Scope,
  scopeGrants,
} from '../../../../contract/accounts/scopes.ts'
import { useSession } from '../../../api/session.ts'
import { NamedChoice } from '../../../components/forms/named-choice.tsx'

interface ScopePickerProps {
  selected: Scope[]
  onChange: (selected: Scope[]) => void
  /** Offers the scopes of a read-only key. */
  readOnly: boolean
}

/** A checkbox per scope; scopes that another selected scope includes are marked as included. */
export function ScopePicker({ selected, onChange, readOnly }: ScopePickerProps) {
  const { role } = useSession()
  const offered = (readOnly ? OFFERED_READ_SCOPES : OFFERED_SCOPES).filter(
    (scope) => role !== 'member' || scope !== 'billing:machine:charge',
  )
  // A key may have a scope that is no longer offered: it can be removed here.
  const listed = [...offered, ...selected.filter((scope) => !offered.includes(scope))]
  const toggle = (scope: Scope, on: boolean) =>
    onChange(on ? [...selected, scope] : selected.filter((other) => other !== scope))
  return (
    <fieldset>
      <legend className="mb-4 font-medium text-13">Scopes</legend>
      <ul className="rounded-control border border-neutral-6">
        {listed.map((scope) => {
          const included = !selected.includes(scope) && scopeGrants(selected, scope)
          return (
            <li key={scope} className="border-neutral-6 border-b last:border-b-0">
              <NamedChoice
                name={scope}
                description={SCOPES[scope]}
                checked={selected.includes(scope)}
                included={included}
                onToggle={(on) => toggle(scope, on)}
                className="px-12 py-8"
                note={included ? 'included' : undefined}
              />
            </li>
          )
        })}
      </ul>
      <p className="mt-4 text-12 text-neutral-11">
        Only files, models, changes to agents, connections, API keys, machine payments and MCP require a
        scope. Everywhere else the key {readOnly ? 'reads what you can read' : 'has your permissions'}.
      </p>
    </fieldset>
  )
}
