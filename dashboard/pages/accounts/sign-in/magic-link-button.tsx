import { useMutation } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { publicApi } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'

interface MagicLinkButtonProps {
  email: string
  next: string
  onSent: () => void
}

/** Sends a magic link to the email address in the form above. */
export function MagicLinkButton({ email, next, onSent }: MagicLinkButtonProps) {
  const send = useMutation({
    mutationFn: () => publicApi.signIn.sendMagicLink({ email, ...(next === '/' ? {} : { next }) }),
    onSuccess: onSent,
  })
  const requestLink = () => {
    const field = document.querySelector<HTMLInputElement>('input[type=email]')
    if (!field || field.reportValidity()) send.mutate()
  }
  return (
    <>
      <FormFailure>{send.error ? shortMessage(send.error) : undefined}</FormFailure>
      <Button busy={send.isPending} onClick={requestLink}>
        <Mail aria-hidden className="icon" />
        Email me a link
      </Button>
    </>
  )
}
