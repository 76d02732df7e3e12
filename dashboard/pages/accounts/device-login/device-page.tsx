import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { CONTROL, Field } from '../../../components/forms/field.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { StepUpDialog } from '../../../frame/step-up-dialog.tsx'
import { DeviceRequest } from './device-request.tsx'

const route = getRouteApi('/device')

/** Approves a CLI sign-in (device authorization). */
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

const CODE_LENGTH = 8

function CodeEntry({ onEnter }: { onEnter: (code: string) => void }) {
  const { user } = useSession()
  const [code, setCode] = useState('')
  const characters = code.replace('-', '').length
  return (
    <AuthLayout title="Connect a device" lead="Enter the 8-character code shown in your terminal.">
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (characters === CODE_LENGTH) onEnter(code)
        }}
      >
        <Field label="Code">
          {(control) => (
            <input
              {...control}
              // biome-ignore lint/a11y/noAutofocus: the page consists of this field.
              autoFocus
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              placeholder="XXXX-XXXX"
              required
              value={code}
              onChange={(event) => setCode(formatUserCode(event.target.value))}
              className={`h-row font-mono ${CONTROL}`}
            />
          )}
        </Field>
        <Button look="primary" type="submit" disabled={characters < CODE_LENGTH}>
          Continue
        </Button>
      </form>
      <p className="text-13 text-neutral-11">
        Signed in as {user.email}.{' '}
        <Link to="/" className="text-selection-text underline underline-offset-4">
          Back to Atrium
        </Link>
      </p>
    </AuthLayout>
  )
}

/** As in the terminal: four characters, a dash, four characters. */
function formatUserCode(text: string): string {
  const characters = text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, CODE_LENGTH)
  return characters.length > 4 ? `${characters.slice(0, 4)}-${characters.slice(4)}` : characters
}
