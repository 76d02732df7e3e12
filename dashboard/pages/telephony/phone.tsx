/** A phone number, on one line and in left-to-right order. */
export const Phone = ({ children }: { children: string }) => (
  <span dir="ltr" className="whitespace-nowrap tabular-nums">
    {children}
  </span>
)

/** A typed phone number in the format of the API: without spaces, dashes and brackets, and with `+` for `00`. */
export const asE164 = (typed: string) => typed.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+')
