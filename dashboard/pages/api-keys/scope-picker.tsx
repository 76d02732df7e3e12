import { SCOPE_NAMES, SCOPES, type Scope, scopeGrants } from '../../../contract/accounts/scopes.ts'
import { NamedChoice } from '../../components/forms/named-choice.tsx'

interface ScopePickerProps {
  selected: Scope[]
  onChange: (selected: Scope[]) => void
  /** Only owners and admins may grant the billing scope. */
  canCharge: boolean
}

/** A checkbox per scope; scopes that another selected scope includes are marked as included. */
export function ScopePicker({ selected, onChange, canCharge }: ScopePickerProps) {
  const toggle = (scope: Scope, on: boolean) =>
    onChange(on ? [...selected, scope] : selected.filter((other) => other !== scope))
  return (
    <fieldset>
      <legend className="mb-4 font-medium text-13">Scopes</legend>
      <ul className="rounded-control border border-neutral-6">
        {SCOPE_NAMES.filter((scope) => canCharge || scope !== 'billing:machine:charge').map((scope) => {
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
      <p className="mt-4 text-12 text-neutral-11">Feedback endpoints need no scope.</p>
    </fieldset>
  )
}
