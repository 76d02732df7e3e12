const PROBLEMS: Record<string, string> = {
  expired: 'The sign-in has expired, or was started in another browser session. Start it again.',
  access_denied: 'The sign-in was declined at the server.',
  wrong_issuer:
    'The response came from an authorization server other than the one you were sent to. Nothing was stored.',
  failed:
    'The authorization server refused the sign-in. Start it again; if it fails again, check the client.',
}

/** Why a sign-in to an MCP server failed. */
export function SignInProblem({ code }: { code: string | undefined }) {
  if (!code) return null
  return (
    <p
      role="alert"
      className="border-neutral-6 border-b bg-bad-wash px-16 py-12 text-13 text-bad-text md:px-24"
    >
      {PROBLEMS[code] ?? PROBLEMS.failed}
    </p>
  )
}
