import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { door } from '../../api/client.ts'
import { explainShortly } from '../../api/explain.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Door } from '../../components/door.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { NewPasswordField } from '../sign-in/new-password-field.tsx'
import { SecondFactor } from '../sign-in/second-factor.tsx'
import { fieldMessage, isSpentLink, ticketIn, useWayIn } from '../sign-in/way-in.ts'

/** The mailed link has shown that the address is theirs; a password makes the account. */
export function FinishSignUp({ token }: { token: string }) {
  const [password, setPassword] = useState('')
  const [ticket, setTicket] = useState<string>()
  const finish = useWayIn(() => door.signIn.confirmSignUp({ token, password }), {
    next: '/',
    onSecondFactor: setTicket,
  })
  if (ticket) return <SecondFactor ticket={ticket} next="/" onStartOver={() => location.assign('/sign-in')} />
  if (isSpentLink(finish.error)) return <Spent />
  const onField = fieldMessage(finish.error, 'password')
  const refused = finish.error && !onField && !ticketIn(finish.error)
  return (
    <Door title="Choose a password" lead="Your address is confirmed. This is the last step.">
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!finish.isPending) finish.mutate()
        }}
      >
        <FormFailure>{refused ? explainShortly(finish.error) : undefined}</FormFailure>
        <NewPasswordField autoFocus value={password} error={onField} onChange={setPassword} />
        <Button look="primary" type="submit" busy={finish.isPending}>
          Create the account
        </Button>
      </form>
    </Door>
  )
}

function Spent() {
  return (
    <Door
      title="This link does not work any more"
      lead="It works once, for a day, and must be opened whole. If you finished with it already, sign in; otherwise begin again."
    >
      <div className="flex gap-8">
        <Link to="/sign-in" className={buttonClass('primary')}>
          Go to sign-in
        </Link>
        <Link to="/sign-up" className={buttonClass()}>
          Begin again
        </Link>
      </div>
    </Door>
  )
}
