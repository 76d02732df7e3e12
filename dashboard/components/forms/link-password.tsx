import { useState } from 'react'
import { Button } from '../button.tsx'
import { AuthLayout } from '../layout/auth-layout.tsx'
import { PasswordField } from './password-field.tsx'

interface LinkPasswordProps {
  lead: string
  action: string
  error: string | undefined
  onSubmit: (password: string) => Promise<void>
}

export function LinkPassword({ lead, action, error, onSubmit }: LinkPasswordProps) {
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  return (
    <AuthLayout title="Password required" lead={lead}>
      <form
        className="flex flex-col gap-16"
        onSubmit={async (event) => {
          event.preventDefault()
          if (busy) return
          setBusy(true)
          await onSubmit(password)
          setBusy(false)
        }}
      >
        <PasswordField
          label="Password"
          autoComplete="off"
          autoFocus
          required
          maxLength={200}
          value={password}
          error={error}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button look="primary" type="submit" busy={busy}>
          {action}
        </Button>
      </form>
    </AuthLayout>
  )
}
