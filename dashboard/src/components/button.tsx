import type { ButtonHTMLAttributes } from "react";
import "./button.css";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: "primary" | "secondary" | "quiet" | "danger";
  /** Work is under way: the button can be reached still, so that focus stays, but does nothing. */
  isBusy?: boolean;
  /** Only a drawing inside; `aria-label` then says what it does. */
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
