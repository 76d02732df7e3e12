import { createElement, Fragment, type ReactNode } from 'react'

/** A name that a person chose. Its text direction does not reorder the text around it. */
export const Name = ({ children }: { children: string | undefined }) => <bdi>{children}</bdi>

/** A sentence around names: withNames`Removed ${name}`. For toasts and titles, which are no elements of their own. */
export const withNames = (texts: TemplateStringsArray, ...names: (string | number | null)[]): ReactNode =>
  createElement(
    Fragment,
    null,
    ...texts.flatMap((text, index) =>
      index < names.length ? [text, createElement(Name, null, String(names[index] ?? ''))] : [text],
    ),
  )
