/**
 * Marks user-facing text: t`Delete ${name}`. The dashboard's build replaces it with its translation
 * (docs/internals/translation.md).
 */
export const t = (texts: TemplateStringsArray, ...values: (string | number)[]): string =>
  String.raw({ raw: texts }, ...values)

/** Translated like a text: the German catalog has `de`. */
export const LOCALE = t`en`
