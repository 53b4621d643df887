/** What is asked of every JWT, whoever checks it: HS256 alone, `sub` and `exp`; clocks may differ by 5 seconds. */
export const JWT_OPTIONS = {
  algorithms: ['HS256'],
  requiredClaims: ['sub', 'exp'],
  clockTolerance: 5,
};
