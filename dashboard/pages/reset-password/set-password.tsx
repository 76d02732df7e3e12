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

/** The mailed link is the proof; a new password ends every session that was open. */
export function SetPassword({ token }: { token: string }) {
  const [password, setPassword] = useState('')
  const [ticket, setTicket] = useState<string>()
  const set = useWayIn(() => door.signIn.resetPassword({ token, password }), {
    next: '/',
    onSecondFactor: setTicket,
  })
  if (ticket) return <SecondFactor ticket={ticket} next="/" onStartOver={() => location.assign('/sign-in')} />
  if (isSpentLink(set.error)) return <Spent />
  const onField = fieldMessage(set.error, 'password')
  const refused = set.error && !onField && !ticketIn(set.error)
  return (
    <Door
      title="Set a new password"
      lead="It takes the place of the old one. You are signed out everywhere else."
    >
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!set.isPending) set.mutate()
        }}
      >
        <FormFailure>{refused ? explainShortly(set.error) : undefined}</FormFailure>
        <NewPasswordField
          label="New password"
          autoFocus
          value={password}
          error={onField}
          onChange={setPassword}
        />
        <Button look="primary" type="submit" busy={set.isPending}>
          Set password and sign in
        </Button>
      </form>
    </Door>
  )
}

function Spent() {
  return (
    <Door
      title="This link does not work any more"
      lead="A link to set a password works once, for an hour, and must be opened whole. Your password is as it was."
    >
      <Link to="/reset-password" className={`self-start ${buttonClass('primary')}`}>
        Mail me a new link
      </Link>
    </Door>
  )
}
