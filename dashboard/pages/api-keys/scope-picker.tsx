import { SCOPE_NAMES, SCOPES, type Scope, scopeGrants } from '../../../contract/accounts/scopes.ts'
import { NamedChoice } from '../../components/forms/named-choice.tsx'

interface ScopePickerProps {
  chosen: Scope[]
  onChange: (chosen: Scope[]) => void
  /** Billing is for owners and admins. */
  mayCharge: boolean
}

/** Each scope with what it opens; what another choice already includes is shown as included. */
export function ScopePicker({ chosen, onChange, mayCharge }: ScopePickerProps) {
  const toggle = (scope: Scope, on: boolean) =>
    onChange(on ? [...chosen, scope] : chosen.filter((other) => other !== scope))
  return (
    <fieldset>
      <legend className="mb-4 font-medium text-13">What it may open</legend>
      <ul className="rounded-control border border-neutral-6">
        {SCOPE_NAMES.filter((scope) => mayCharge || scope !== 'billing:machine:charge').map((scope) => {
          const included = !chosen.includes(scope) && scopeGrants(chosen, scope)
          return (
            <li key={scope} className="border-neutral-6 border-b last:border-b-0">
              <NamedChoice
                name={scope}
                description={SCOPES[scope]}
                checked={chosen.includes(scope)}
                included={included}
                onToggle={(on) => toggle(scope, on)}
                className="px-12 py-8"
                note={included ? 'included' : undefined}
              />
            </li>
          )
        })}
      </ul>
      <p className="mt-4 text-12 text-neutral-11">Sending and reading your own feedback needs no scope.</p>
    </fieldset>
  )
}
