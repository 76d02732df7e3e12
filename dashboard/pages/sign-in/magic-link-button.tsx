import { useMutation } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { publicApi } from '../../api/client.ts'
import { explainShortly } from '../../api/explain.ts'
import { Button } from '../../components/button.tsx'
import { FormFailure } from '../../components/failure.tsx'

interface MagicLinkButtonProps {
  email: string
  next: string
  onSent: () => void
}

/** Mails a link to the address in the form above. */
export function MagicLinkButton({ email, next, onSent }: MagicLinkButtonProps) {
  const send = useMutation({
    mutationFn: () => publicApi.signIn.sendMagicLink({ email, ...(next === '/' ? {} : { next }) }),
    onSuccess: onSent,
  })
  const press = () => {
    const field = document.querySelector<HTMLInputElement>('input[type=email]')
    if (!field || field.reportValidity()) send.mutate()
  }
  return (
    <>
      <FormFailure>{send.error ? explainShortly(send.error) : undefined}</FormFailure>
      <Button busy={send.isPending} onClick={press}>
        <Mail aria-hidden className="icon" />
        Email me a link
      </Button>
    </>
  )
}
