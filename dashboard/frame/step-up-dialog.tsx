import { useState } from 'react'
import { ApiFailure } from '../../client/client.ts'
import { api } from '../api/client.ts'
import { explainShortly } from '../api/explain.ts'
import { useSession } from '../api/session.ts'
import { useStepUpQuestion } from '../api/step-up.ts'
import { Button } from '../components/button.tsx'
import { Dialog, DialogFooter } from '../components/dialog.tsx'
import { PasswordField } from '../components/password-field.tsx'

/** Asks for the password again over whatever was happening; the waiting calls then go on by themselves. */
export function StepUpDialog() {
  const answer = useStepUpQuestion()
  return answer && <Question answer={answer} />
}

function Question({ answer }: { answer: (confirmed: boolean) => void }) {
  const { user } = useSession()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)

  const confirm = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await api.accounts.stepUp({ method: 'password', password })
      answer(true)
    } catch (failure) {
      // The session itself is over: the client has left for sign-in, and the waiting calls are given up.
      if (failure instanceof ApiFailure && failure.code === 'UNAUTHORIZED') return answer(false)
      setError(explainShortly(failure))
      setBusy(false)
    }
  }

  return (
    <Dialog size="small" title="Confirm it is you" onClose={() => answer(false)}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void confirm()
        }}
      >
        <p className="text-neutral-11">
          This needs a fresh sign-in. Enter your password and it goes on by itself; you are not asked again
          for ten minutes.
        </p>
        <input type="hidden" autoComplete="username" value={user.email} />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          error={error}
          onChange={(event) => setPassword(event.target.value)}
        />
        <DialogFooter>
          <Button look="quiet" onClick={() => answer(false)}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={busy}>
            Confirm
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
