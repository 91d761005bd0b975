// Written by scripts/database-types.ts from supabase/migrations: change those, and write it again.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

type None = Record<never, never>;

export type Database = {
  public: {
    Tables: None;
    Views: None;
    Functions: {
      accept_invitation: {
        Args: {
          user_id: string;
          session_id: string;
          invitation_id: string;
        };
        Returns: Json;
      };
      admit_request: {
        Args: {
          key_hash: string;
          datasets?: string[];
        };
        Returns: Json;
      };
      announce_deadlines: {
        Args: {
          maximum: number;
          only_endpoint?: string;
        };
        Returns: Json;
      };
      apply_due_dates: {
        Args: {
          maximum: number;
        };
        Returns: Json;
      };
      claim_deliveries: {
        Args: {
          maximum: number;
          failing_maximum: number;
        };
        Returns: Json;
      };
      claim_digest: {
        Args: {
          saved_search_id: string;
          token_hash: string;
        };
        Returns: Json;
      };
      claim_embeddings: {
        Args: {
          providers: string[];
          maximum: number;
        };
        Returns: Json;
      };
      continue_recoveries: {
        Args: {
          maximum: number;
          recovery_id?: number;
        };
        Returns: Json;
      };
      create_account_key: {
        Args: {
          user_id: string;
          session_id: string;
          name: string;
          key_hash: string;
          display: string;
          expires_at?: string;
          limits?: Json;
        };
        Returns: Json;
      };
      create_explorer_key: {
        Args: {
          user_id: string;
          session_id: string;
          key_hash: string;
          display: string;
        };
        Returns: Json;
      };
      create_invitation: {
        Args: {
          user_id: string;
          session_id: string;
          email: string;
          role: string;
        };
        Returns: Json;
      };
      create_saved_search: {
        Args: {
          user_id: string;
          session_id: string;
          saved_search: Json;
        };
        Returns: Json;
      };
      create_webhook: {
        Args: {
          user_id: string;
          session_id: string;
          webhook: Json;
        };
        Returns: Json;
      };
      decide_offered_customer: {
        Args: {
          user_id: string;
          session_id: string;
          offer_id: string;
          accepted: boolean;
        };
        Returns: Json;
      };
      decline_invitation: {
        Args: {
          user_id: string;
          session_id: string;
          invitation_id: string;
        };
        Returns: Json;
      };
      decline_invitations: {
        Args: {
          user_id: string;
          session_id: string;
        };
        Returns: Json;
      };
      delete_saved_search: {
        Args: {
          user_id: string;
          session_id: string;
          saved_search_id: string;
        };
        Returns: Json;
      };
      delete_webhook: {
        Args: {
          user_id: string;
          session_id: string;
          webhook_id: string;
        };
        Returns: Json;
      };
      fan_out_events: {
        Args: {
          maximum: number;
        };
        Returns: Json;
      };
      fan_out_to: {
        Args: {
          endpoint_id: string;
          events: string[];
        };
        Returns: Json;
      };
      finish_deliveries: {
        Args: {
          results: Json;
        };
        Returns: Json;
      };
      finish_digest: {
        Args: {
          saved_search_id: string;
          due_at: string;
          attempt: number;
          outcome: string;
        };
        Returns: Json;
      };
      finish_embeddings: {
        Args: {
          model: string;
          claimed_until: string;
          batch: Json;
          spent: Json;
        };
        Returns: Json;
      };
      finish_fan_out: {
        Args: {
          events: string[];
        };
        Returns: Json;
      };
      get_account: {
        Args: {
          user_id: string;
          session_id: string;
        };
        Returns: Json;
      };
      get_account_request: {
        Args: {
          user_id: string;
          session_id: string;
          request_id: string;
        };
        Returns: Json;
      };
      get_account_usage: {
        Args: {
          user_id: string;
          session_id: string;
          first_day: string;
          last_day: string;
          key_id?: string;
          include?: string[];
        };
        Returns: Json;
      };
      get_changes: {
        Args: {
          key_hash: string;
          dataset: string;
          id: string;
          maximum: number;
          before?: number;
        };
        Returns: Json;
      };
      get_contract: {
        Args: {
          key_hash: string;
          id: string;
          expand?: Json;
        };
        Returns: Json;
      };
      get_document: {
        Args: {
          key_hash: string;
          id: string;
          page?: number;
          maximum?: number;
          skipped?: number;
        };
        Returns: Json;
      };
      get_funder: {
        Args: {
          key_hash: string;
          id: string;
          expand?: Json;
        };
        Returns: Json;
      };
      get_funder_statistics: {
        Args: {
          key_hash: string;
          id: string;
        };
        Returns: Json;
      };
      get_grant: {
        Args: {
          key_hash: string;
          id: string;
          expand?: Json;
        };
        Returns: Json;
      };
      get_latest_records: {
        Args: {
          user_id: string;
          session_id: string;
          since: string;
        };
        Returns: Json;
      };
      get_metrics: {
        Args: Record<PropertyKey, never>;
        Returns: Json;
      };
      get_organization: {
        Args: {
          key_hash: string;
          id: string;
          at?: string;
        };
        Returns: Json;
      };
      get_readiness: {
        Args: Record<PropertyKey, never>;
        Returns: Json;
      };
      get_saved_search: {
        Args: {
          user_id: string;
          session_id: string;
          saved_search_id: string;
        };
        Returns: Json;
      };
      get_schema_faults: {
        Args: Record<PropertyKey, never>;
        Returns: Json;
      };
      get_webhook: {
        Args: {
          user_id: string;
          session_id: string;
          webhook_id: string;
        };
        Returns: Json;
      };
      get_webhook_delivery: {
        Args: {
          user_id: string;
          session_id: string;
          webhook_id: string;
          event_id: string;
        };
        Returns: Json;
      };
      identify_key: {
        Args: {
          key_hash: string;
        };
        Returns: Json;
      };
      issue_saved_search_address: {
        Args: {
          user_id: string;
          session_id: string;
          saved_search_id: string;
          token_hash: string;
        };
        Returns: Json;
      };
      limit_account_key: {
        Args: {
          user_id: string;
          session_id: string;
          key_id: string;
          limits: Json;
        };
        Returns: Json;
      };
      list_account_keys: {
        Args: {
          user_id: string;
          session_id: string;
        };
        Returns: Json;
      };
      list_account_requests: {
        Args: {
          user_id: string;
          session_id: string;
          filter: Json;
        };
        Returns: Json;
      };
      list_addresses: {
        Args: {
          key_hash: string;
          dataset: string;
          part?: string;
        };
        Returns: Json;
      };
      list_audit_log: {
        Args: {
          user_id: string;
          session_id: string;
          filter: Json;
        };
        Returns: Json;
      };
      list_awards: {
        Args: {
          key_hash: string;
          id: string;
          parameters: Json;
        };
        Returns: Json;
      };
      list_contracts: {
        Args: {
          key_hash: string;
          parameters: Json;
          query_vector?: Json;
          known_tag?: string;
          if_none_match?: string;
        };
        Returns: Json;
      };
      list_funders: {
        Args: {
          key_hash: string;
          parameters: Json;
          query_vector?: Json;
          known_tag?: string;
          if_none_match?: string;
        };
        Returns: Json;
      };
      list_grants: {
        Args: {
          key_hash: string;
          parameters: Json;
          query_vector?: Json;
          known_tag?: string;
          if_none_match?: string;
        };
        Returns: Json;
      };
      list_invitations: {
        Args: {
          user_id: string;
          session_id: string;
        };
        Returns: Json;
      };
      list_members: {
        Args: {
          user_id: string;
          session_id: string;
        };
        Returns: Json;
      };
      list_memberships: {
        Args: {
          user_id: string;
          session_id: string;
          page?: Json;
        };
        Returns: Json;
      };
      list_offered_customers: {
        Args: {
          user_id: string;
          session_id: string;
        };
        Returns: Json;
      };
      list_overdue_tables: {
        Args: Record<PropertyKey, never>;
        Returns: Json;
      };
      list_saved_searches: {
        Args: {
          user_id: string;
          session_id: string;
        };
        Returns: Json;
      };
      list_snapshots: {
        Args: {
          key_hash: string;
          store: string;
          id?: string;
        };
        Returns: Json;
      };
      list_tiers: {
        Args: {
          user_id: string;
          session_id: string;
        };
        Returns: Json;
      };
      list_webhook_deliveries: {
        Args: {
          user_id: string;
          session_id: string;
          webhook_id: string;
          filter: Json;
        };
        Returns: Json;
      };
      list_webhooks: {
        Args: {
          user_id: string;
          session_id: string;
        };
        Returns: Json;
      };
      mark_saved_search_seen: {
        Args: {
          user_id: string;
          session_id: string;
          saved_search_id: string;
          until?: string;
        };
        Returns: Json;
      };
      next_deadlines: {
        Args: Record<PropertyKey, never>;
        Returns: Json;
      };
      next_digest: {
        Args: Record<PropertyKey, never>;
        Returns: Json;
      };
      next_recovery: {
        Args: Record<PropertyKey, never>;
        Returns: Json;
      };
      pending_fan_out: {
        Args: {
          maximum: number;
        };
        Returns: Json;
      };
      prepare_checkout: {
        Args: {
          user_id: string;
          session_id: string;
          tier: string;
        };
        Returns: Json;
      };
      prepare_portal: {
        Args: {
          user_id: string;
          session_id: string;
        };
        Returns: Json;
      };
      preview_webhook: {
        Args: {
          user_id: string;
          session_id: string;
          webhook: Json;
        };
        Returns: Json;
      };
      prune_table: {
        Args: {
          table_name: string;
          maximum: number;
        };
        Returns: Json;
      };
      read_data: {
        Args: {
          rpc: string;
          arguments: string;
        };
        Returns: Json;
      };
      read_saved_search: {
        Args: {
          token_hash: string;
          kind: string;
          known_tags?: string[];
          known_since?: string;
        };
        Returns: Json;
      };
      record_billing_event: {
        Args: {
          event: Json;
        };
        Returns: Json;
      };
      record_usage: {
        Args: {
          events: Json;
          writer?: string;
          batch?: number;
        };
        Returns: undefined;
      };
      recover_webhook: {
        Args: {
          user_id: string;
          session_id: string;
          webhook_id: string;
          since: string;
          until: string;
        };
        Returns: Json;
      };
      remove_member: {
        Args: {
          user_id: string;
          session_id: string;
          member_id: string;
        };
        Returns: Json;
      };
      report_endpoint_failure: {
        Args: {
          endpoint_id: string;
          code: string;
          message: string;
        };
        Returns: Json;
      };
      report_fan_out_failure: {
        Args: {
          events: string[];
          endpoints: string[];
          tried: number;
          code: string;
        };
        Returns: Json;
      };
      resend_webhook_delivery: {
        Args: {
          user_id: string;
          session_id: string;
          webhook_id: string;
          event_id: string;
        };
        Returns: Json;
      };
      revoke_account_key: {
        Args: {
          user_id: string;
          session_id: string;
          key_id: string;
        };
        Returns: Json;
      };
      revoke_saved_search_address: {
        Args: {
          user_id: string;
          session_id: string;
          saved_search_id: string;
        };
        Returns: Json;
      };
      rotate_account_key: {
        Args: {
          user_id: string;
          session_id: string;
          key_id: string;
          key_hash: string;
          display: string;
          overlap_hours: number;
        };
        Returns: Json;
      };
      rotate_webhook_secret: {
        Args: {
          user_id: string;
          session_id: string;
          webhook_id: string;
          secret: string;
          overlap_seconds: number;
        };
        Returns: Json;
      };
      seal_records: {
        Args: {
          most?: number;
          most_merged?: number;
        };
        Returns: Json;
      };
      semantic_search: {
        Args: {
          key_hash: string;
          query: string;
          datasets: string[];
          maximum: number;
          query_vector?: Json;
          similar_to?: string;
          explain?: boolean;
          highlight?: boolean;
        };
        Returns: Json;
      };
      send_test_event: {
        Args: {
          user_id: string;
          session_id: string;
          webhook_id: string;
          event: string;
          data: Json;
          details?: Json;
          changes?: Json;
        };
        Returns: Json;
      };
      suggest: {
        Args: {
          key_hash: string;
          typed: string;
          kinds: string[];
          maximum: number;
        };
        Returns: Json;
      };
      unsubscribe_digest: {
        Args: {
          token_hash: string;
        };
        Returns: Json;
      };
      update_account: {
        Args: {
          user_id: string;
          session_id: string;
          changes: Json;
        };
        Returns: Json;
      };
      update_member: {
        Args: {
          user_id: string;
          session_id: string;
          member_id: string;
          changes: Json;
        };
        Returns: Json;
      };
      update_saved_search: {
        Args: {
          user_id: string;
          session_id: string;
          saved_search_id: string;
          changes: Json;
        };
        Returns: Json;
      };
      update_webhook: {
        Args: {
          user_id: string;
          session_id: string;
          webhook_id: string;
          changes: Json;
        };
        Returns: Json;
      };
      withdraw_invitation: {
        Args: {
          user_id: string;
          session_id: string;
          invitation_id: string;
        };
        Returns: Json;
      };
      withdraw_request: {
        Args: {
          key_hash: string;
          counted_on?: string;
        };
        Returns: Json;
      };
      write_once: {
        Args: {
          user_id: string;
          session_id: string;
          key_hash: string;
          request_hash: string;
          rpc: string;
          arguments: Json;
          sealed_secret?: string;
        };
        Returns: Json;
      };
    };
    Enums: None;
    CompositeTypes: None;
  };
};
