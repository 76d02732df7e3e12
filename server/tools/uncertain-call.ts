/** What a model reads after a call whose result is unknown. */
export const MAY_HAVE_HAPPENED = 'It may or may not have happened: check before repeating it.'
