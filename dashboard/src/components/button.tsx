import type { ComponentProps } from "react";
import "./button.css";

export interface ButtonProps extends ComponentProps<"button"> {
  look?: "primary" | "secondary" | "quiet" | "danger";
  /** Work is in progress: the button does nothing, but keeps the focus. */
  isBusy?: boolean;
  /** The button has only an icon; `aria-label` names its action. */
  isSquare?: boolean;
}

export function Button({ look = "secondary", isBusy = false, isSquare = false, ...rest }: ButtonProps) {
  const classes = ["button", `button-${look}`, isSquare && "button-square", rest.className];
  return (
    <button
      type="button"
      {...rest}
      className={classes.filter(Boolean).join(" ")}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
    />
  );
}
