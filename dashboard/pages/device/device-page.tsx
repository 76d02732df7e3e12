import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { CONTROL, Field } from '../../components/forms/field.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { StepUpDialog } from '../../frame/step-up-dialog.tsx'
import { DeviceRequest } from './device-request.tsx'

const route = getRouteApi('/device')

/** Where somebody lets a terminal in that asks in their name. */
export function DevicePage() {
  const { user_code: code } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      {code ? (
        <DeviceRequest key={code} code={code} onOther={() => navigate({ search: {} })} />
      ) : (
        <CodeEntry onEnter={(user_code) => navigate({ search: { user_code } })} />
      )}
      <StepUpDialog />
    </>
  )
}

const LETTERS = 8

function CodeEntry({ onEnter }: { onEnter: (code: string) => void }) {
  const { user } = useSession()
  const [code, setCode] = useState('')
  const letters = code.replace('-', '').length
  return (
    <AuthLayout
      title="Connect a device"
      lead="A terminal that wants to work in your name shows a code of eight letters. Enter it here."
    >
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (letters === LETTERS) onEnter(code)
        }}
      >
        <Field label="Code">
          {(control) => (
            <input
              {...control}
              // biome-ignore lint/a11y/noAutofocus: the page is this one question.
              autoFocus
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              placeholder="XXXX-XXXX"
              required
              value={code}
              onChange={(event) => setCode(asUserCode(event.target.value))}
              className={`h-row font-mono ${CONTROL}`}
            />
          )}
        </Field>
        <Button look="primary" type="submit" disabled={letters < LETTERS}>
          Continue
        </Button>
      </form>
      <p className="text-13 text-neutral-11">
        You are signed in as {user.email}.{' '}
        <Link to="/" className="text-accent-text underline underline-offset-4">
          Back to Atrium
        </Link>
      </p>
    </AuthLayout>
  )
}

/** As the terminal shows it: four characters, a dash, four more. */
function asUserCode(text: string): string {
  const letters = text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, LETTERS)
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters
}
