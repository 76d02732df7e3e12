import { useQuery } from '@tanstack/react-query'
import { signInMethodsQuery } from './sign-in-queries.ts'

/** Undefined while loading. */
export const useCanMail = () => useQuery(signInMethodsQuery).data?.mail

export function MailStatus() {
  const { data } = useQuery(signInMethodsQuery)
  if (!data || (data.mail && data.publicUrl)) return null
  return (
    <p
      role="status"
      className="mx-16 mt-16 rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text md:mx-24"
    >
      {data.mail ? (
        <>
          Links in emails lead to this server’s local URL. Set{' '}
          <code className="font-mono">ATRIUM_PUBLIC_URL</code> so they work on other computers.
        </>
      ) : (
        <>
          This server can’t send email. Invitations give you a link to copy. To send email, set{' '}
          <code className="font-mono">ATRIUM_SMTP_URL</code>.
        </>
      )}
    </p>
  )
}
